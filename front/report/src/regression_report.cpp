#include "sextant/report/regression_report.h"

#include <algorithm>
#include <array>
#include <cstdio>

#include "sextant/core/text.h"

namespace sextant::report {
namespace {

using enum Importance;
using learn::MethodReport;
using learn::Metrics;

Cell fixed_cell(double value, int digits, const char* unit) {
  Cell cell(value);
  std::array<char, 400> text{};
  std::snprintf(text.data(), text.size(), "%.*f%s", digits, value, unit);
  cell.shown = text.data();
  // A bias that rounds to nothing has no sign.
  if (cell.shown.find_first_of("123456789") == std::string::npos && cell.shown.starts_with('-')) {
    cell.shown.erase(0, 1);
  }
  return cell;
}

Cell shown_percent(double value) {
  return fixed_cell(value, 2, " %");
}

// Per cents say more, where a measured value is never zero: the error in the unit of the response is then for
// files.
Cell rmse_cell(const Metrics& m) {
  Cell cell = digits_cell(m.rmse);
  if (m.ape) cell.shown.clear();
  return cell;
}

Fields<Metrics> regression_metric_fields() {
  const auto ape = [](auto figure) {
    return [figure](const Metrics& m) { return m.ape ? shown_percent((*m.ape).*figure) : Cell(); };
  };
  using Ape = std::decay_t<decltype(*Metrics{}.ape)>;
  return {
      {"n", "n", [](const Metrics& m) { return Cell(static_cast<std::int64_t>(m.n)); }},
      {"mean_ape_percent", "mean APE", ape(&Ape::mean), essential},
      {"median_ape_percent", "median", ape(&Ape::median)},
      {"p90_ape_percent", "p90", ape(&Ape::p90)},
      {"bias_percent", "bias", ape(&Ape::bias)},
      {"rmse", "RMSE", rmse_cell, essential},
      {"r2", "R2", [](const Metrics& m) { return fixed_cell(m.r2, 4, ""); }},
      {"coverage_percent", "90 % covers",
       [](const Metrics& m) { return m.coverage ? fixed_cell(*m.coverage, 1, " %") : Cell(); }},
  };
}

Cell parameters_cell(const MethodReport& m) {
  return m.failure.empty() ? Cell(learn::to_string(m.chosen)) : Cell("cannot be fitted: " + m.failure);
}

Fields<MethodReport> regression_method_fields() {
  const Fields<MethodReport> method = {
      {"method", "method", [](const MethodReport& m) { return Cell(m.method); }, identity},
      {"parameters", "parameters", parameters_cell},
  };
  return joined(
      {method, of_part<MethodReport, Metrics>(regression_metric_fields(), [](const MethodReport& m) {
         return m.failure.empty() ? &m.metrics : nullptr;
       })});
}

Fields<learn::Model> fitted_model_fields() {
  using learn::Model;
  return {
      {"method", "", [](const Model& m) { return Cell(m.method); }},
      {"response", "", [](const Model& m) { return Cell(m.response); }},
      {"procedure", "", [](const Model& m) { return Cell(m.error.procedure); }},
      {"validation", "", [](const Model& m) { return Cell(m.error.validation); }},
  };
}

struct Evaluated {
  const learn::Model& model;
  const learn::Evaluation& evaluation;
};

Fields<Evaluated> regression_evaluation_fields() {
  return joined({Fields<Evaluated>{
                     {"method", "method", [](const Evaluated& e) { return Cell(e.model.method); }, identity}},
                 of_part<Evaluated, Metrics>(regression_metric_fields(),
                                             [](const Evaluated& e) { return &e.evaluation.metrics; }),
                 Fields<Evaluated>{{"extrapolating", "extrapolating", [](const Evaluated& e) {
                                      return Cell(static_cast<std::int64_t>(e.evaluation.extrapolating));
                                    }}}});
}

Fields<learn::EvaluatedRow> predicted_row_fields() {
  using learn::EvaluatedRow;
  return {
      {"predicted", "predicted", [](const EvaluatedRow& r) { return Cell(r.prediction.value); }},
      {"low", "low",
       [](const EvaluatedRow& r) {
         return r.prediction.interval ? Cell(r.prediction.interval->low) : Cell();
       }},
      {"high", "high",
       [](const EvaluatedRow& r) {
         return r.prediction.interval ? Cell(r.prediction.interval->high) : Cell();
       }},
      {"extrapolating", "extrapolating",
       [](const EvaluatedRow& r) { return Cell(r.prediction.extrapolating); }},
  };
}

std::string error_text(const Metrics& metrics) {
  return metrics.ape ? shown_percent(metrics.ape->mean).shown + " (mean APE)"
                     : digits_cell(metrics.rmse).shown + " (RMSE)";
}

double error_of(const Metrics& metrics) {
  return metrics.ape ? metrics.ape->mean : metrics.rmse;
}

// The method that the table shows with the smallest error, where that is not the one that was chosen.
const MethodReport* better_looking(const learn::FitReport& report) {
  const MethodReport* best = nullptr;
  for (const MethodReport& each : report.methods) {
    if (!each.failure.empty() || each.method.starts_with("auto")) continue;
    if (best == nullptr || error_of(each.metrics) < error_of(best->metrics)) best = &each;
  }
  return best == nullptr || best->method == report.model.method ? nullptr : best;
}

std::string error_note(const learn::FitReport& report) {
  const learn::Model& model = report.model;
  const learn::ModelError& e = model.error;
  const std::string error = error_text(report.methods.back().metrics);
  if (report.methods.size() == 1) {
    return "The error of " + model.method + " on rows that were left out is " + error + " (" + e.validation +
           ").";
  }
  std::string text =
      model.method +
      " was chosen by an inner test on the training rows. The whole procedure's error on unseen rows is " +
      error + " (" + e.validation + ", line '" + report.methods.back().method + "').";
  if (const MethodReport* other = better_looking(report)) {
    text += " Do not choose " + other->method +
            " because it looks better in this table: an error that was chosen for being small is too small. "
            "To use " +
            other->method + " for other reasons, say `method` " + other->method + ".";
  }
  return text;
}

}  // namespace

Result fit_result(const learn::FitReport& report) {
  Table table = table_of(regression_method_fields(), report.methods);
  table.notes = report.notes;
  table.notes.push_back(error_note(report));
  return {.schema = "sextant.fit-regression/1",
          .sections = {{.key = "methods", .table = std::move(table)}},
          .facts = facts_of(fitted_model_fields(), report.model)};
}

Result evaluation_result(const learn::Model& model, const learn::Evaluation& evaluation) {
  return {.schema = "sextant.evaluation/1",
          .facts = facts_of(regression_evaluation_fields(), Evaluated{model, evaluation})};
}

Table predictions_table(const learn::DataTables& tables, const learn::Evaluation& evaluation) {
  const Table answers = table_of(predicted_row_fields(), evaluation.rows);
  Table table;
  std::vector<std::size_t> copied;
  for (std::size_t c = 0; c < tables.header().size(); ++c) {
    const std::string& name = tables.header()[c];
    if (std::ranges::find(answers.columns, name, &Column::key) != answers.columns.end()) continue;
    copied.push_back(c);
    table.columns.push_back({name, name});
  }
  table.columns.insert(table.columns.end(), answers.columns.begin(), answers.columns.end());
  for (std::size_t i = 0; i < answers.rows.size(); ++i) {
    std::vector<Cell> cells;
    for (const std::size_t c : copied) cells.emplace_back(tables.text(i, c));
    cells.insert(cells.end(), answers.rows[i].begin(), answers.rows[i].end());
    table.rows.push_back(std::move(cells));
  }
  return table;
}

Scatter residual_plot(const learn::FitReport& report) {
  const learn::ModelError& error = report.model.error;
  Scatter plot{error.procedure + ", left-out rows (" + error.validation + ")", report.model.response, {}};
  for (const auto& row : report.outer)
    plot.points.push_back({row.measured, row.predicted, row.extrapolating});
  return plot;
}

Scatter residual_plot(const learn::Model& model, const learn::Evaluation& evaluation) {
  Scatter plot{model.method + " on the data given", model.response, {}};
  for (const auto& row : evaluation.rows) {
    plot.points.push_back({row.measured, row.prediction.value, row.prediction.extrapolating});
  }
  return plot;
}

}  // namespace sextant::report
