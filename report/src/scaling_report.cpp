#include "sextant/report/scaling_report.h"

#include <algorithm>
#include <cmath>
#include <ostream>
#include <sstream>

#include "sextant/core/text.h"
#include "sextant/report/case_report.h"

namespace sextant {
namespace {

Cell maybe_percent(const std::optional<double>& fraction) {
  return fraction ? percent_cell(*fraction) : Cell();
}

std::vector<std::string> answer_cells(const ScalingAnswer& answer) {
  std::vector<std::string> cells(kAnswerColumns.size());
  if (!answer.error.empty()) {
    cells.back() = answer.error;
    return cells;
  }
  const ScaledStep& step = answer.step;
  const auto set = [&cells](std::string_view column, std::string text) {
    cells[static_cast<std::size_t>(std::ranges::find(kAnswerColumns, column) - kAnswerColumns.begin())] =
        std::move(text);
  };
  set("predicted_s", number_text(step.predicted.value));
  set("low_s", number_text(step.low.value));
  set("high_s", number_text(step.high.value));
  set("compute_s", number_text(step.compute.value));
  set("communication_s", number_text(step.communication.value));
  set("overhead_s", "0");
  set("extrapolating", step.extrapolating ? "true" : "false");
  return cells;
}

double relative_error(const ScalingEvaluated& row) {
  return std::abs(row.step.predicted.value - row.measured.value) / row.measured.value;
}

}  // namespace

Table scaling_table(const ScalingModel& model) {
  Table table{.columns = {{"rows", "steps"},
                          {"networks", "networks"},
                          {"clusters", "clusters"},
                          {"mean_error_fitted", "error, fitted rows"},
                          {"mean_error_more_gpus", "more GPUs"},
                          {"mean_error_new_network", "new network"}},
              .rows = {},
              .notes = {"More GPUs: fitted to placements of up to two thirds of the largest, judged on the "
                        "rest. New network: fitted to the others, given its one-GPU steps."}};
  table.rows.push_back({static_cast<std::int64_t>(model.rows), static_cast<std::int64_t>(model.nets.size()),
                        static_cast<std::int64_t>(model.clusters.size()), percent_cell(model.errors.fitted),
                        maybe_percent(model.errors.more_gpus), maybe_percent(model.errors.new_network)});
  return table;
}

Table scaling_evaluation_table(const std::vector<ScalingEvaluated>& rows) {
  std::vector<double> errors;
  std::int64_t covered = 0;
  std::int64_t extrapolating = 0;
  double sum = 0;
  for (const auto& row : rows) {
    errors.push_back(relative_error(row));
    sum += errors.back();
    covered += row.step.low <= row.measured && row.measured <= row.step.high ? 1 : 0;
    extrapolating += row.step.extrapolating ? 1 : 0;
  }
  std::ranges::sort(errors);
  Table table{.columns = {{"method", "method"},
                          {"n", "n"},
                          {"mean_error", "mean error"},
                          {"median_error", "median"},
                          {"p90_error", "p90"},
                          {"coverage", "90 % covers"},
                          {"extrapolating", "extrapolating"}},
              .rows = {},
              .notes = {}};
  const auto n = static_cast<double>(rows.size());
  const auto at = [&](double q) { return errors[static_cast<std::size_t>(q * (n - 1))]; };
  table.rows.push_back({"scaling", static_cast<std::int64_t>(rows.size()), percent_cell(sum / n),
                        percent_cell(at(0.5)), percent_cell(at(0.9)),
                        percent_cell(static_cast<double>(covered) / n), extrapolating});
  return table;
}

Scatter scaling_residuals(const std::vector<ScalingEvaluated>& rows) {
  Scatter plot{"scaling on new data", "step_s", {}};
  for (const auto& row : rows) {
    plot.points.push_back({row.measured.value, row.step.predicted.value, row.step.extrapolating});
  }
  return plot;
}

void write_scaling_answers(std::ostream& out, const CsvTable& table,
                           const std::vector<ScalingAnswer>& answers) {
  std::vector<std::size_t> copied;
  for (std::size_t c = 0; c < table.header().size(); ++c) {
    if (std::ranges::find(kAnswerColumns, table.header()[c]) == kAnswerColumns.end()) copied.push_back(c);
  }
  std::vector<std::string> line;
  for (const auto c : copied) line.push_back(table.header()[c]);
  line.insert(line.end(), kAnswerColumns.begin(), kAnswerColumns.end());
  write_csv_row(out, line);
  for (std::size_t row = 0; row < table.rows(); ++row) {
    line.clear();
    for (const auto c : copied) line.push_back(table.text(row, c));
    const auto cells = answer_cells(answers[row]);
    line.insert(line.end(), cells.begin(), cells.end());
    write_csv_row(out, line);
  }
}

}  // namespace sextant
