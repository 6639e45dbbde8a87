#include "sextant/report/regression_report.h"

#include <algorithm>
#include <array>
#include <cstdio>

#include "sextant/core/text.h"

namespace sextant::report {
namespace {

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

std::vector<Column> metric_columns(bool percentages) {
  std::vector<Column> columns = {{"n", "n"}};
  if (percentages) {
    columns.insert(columns.end(), {{"mean_ape_percent", "mean APE"},
                                   {"median_ape_percent", "median"},
                                   {"p90_ape_percent", "p90"},
                                   {"bias_percent", "bias"}});
  } else {
    columns.push_back({"rmse", "RMSE"});
  }
  columns.insert(columns.end(), {{"r2", "R2"}, {"coverage_percent", "90 % covers"}});
  return columns;
}

void add_metrics(std::vector<Cell>& cells, const learn::Metrics& m) {
  cells.emplace_back(static_cast<std::int64_t>(m.n));
  if (m.ape) {
    for (const double value : {m.ape->mean, m.ape->median, m.ape->p90, m.ape->bias}) {
      cells.push_back(shown_percent(value));
    }
  } else {
    Cell cell(m.rmse);
    std::array<char, 40> text{};
    std::snprintf(text.data(), text.size(), "%.4g", m.rmse);
    cell.shown = text.data();
    cells.push_back(cell);
  }
  cells.push_back(fixed_cell(m.r2, 4, ""));
  cells.push_back(m.coverage ? fixed_cell(*m.coverage, 1, " %") : Cell());
}

std::string error_note(const learn::Model& model) {
  const learn::ModelError& e = model.error;
  return "The model is " + model.method + "; its error is that of " + e.procedure +
         " on rows that chose nothing (" + e.validation + ").";
}

}  // namespace

Table methods_table(const learn::FitReport& report) {
  Table table;
  const bool percentages = report.model.error.metrics.ape.has_value();
  table.columns = {{"method", "method"}, {"parameters", "parameters"}};
  const auto metrics = metric_columns(percentages);
  table.columns.insert(table.columns.end(), metrics.begin(), metrics.end());
  for (const auto& method : report.methods) {
    std::vector<Cell> cells = {method.method, learn::to_string(method.chosen)};
    if (method.failure.empty()) {
      add_metrics(cells, method.metrics);
    } else {
      cells[1] = Cell("cannot be fitted: " + method.failure);
    }
    cells.resize(table.columns.size());
    table.rows.push_back(std::move(cells));
  }
  table.notes = report.notes;
  table.notes.push_back(error_note(report.model));
  return table;
}

Table evaluation_table(const learn::Model& model, const learn::Evaluation& evaluation) {
  Table table;
  table.columns = {{"method", "method"}};
  const auto metrics = metric_columns(evaluation.metrics.ape.has_value());
  table.columns.insert(table.columns.end(), metrics.begin(), metrics.end());
  table.columns.push_back({"extrapolating", "extrapolating"});
  std::vector<Cell> cells = {model.method};
  add_metrics(cells, evaluation.metrics);
  cells.emplace_back(static_cast<std::int64_t>(evaluation.extrapolating));
  table.rows.push_back(std::move(cells));
  return table;
}

Table predictions_table(const learn::DataTables& tables, const learn::Evaluation& evaluation) {
  Table table;
  for (const auto& name : tables.header()) table.columns.push_back({name, name});
  for (const char* name : {"predicted", "low", "high", "extrapolating"})
    table.columns.push_back({name, name});
  for (std::size_t i = 0; i < evaluation.rows.size(); ++i) {
    std::vector<Cell> cells;
    for (std::size_t c = 0; c < tables.header().size(); ++c) cells.emplace_back(tables.text(i, c));
    const learn::RowPrediction& p = evaluation.rows[i].prediction;
    cells.emplace_back(p.value);
    cells.push_back(p.interval ? Cell(p.interval->low) : Cell());
    cells.push_back(p.interval ? Cell(p.interval->high) : Cell());
    cells.emplace_back(p.extrapolating);
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
  Scatter plot{model.method + " on new data", model.response, {}};
  for (const auto& row : evaluation.rows) {
    plot.points.push_back({row.measured, row.prediction.value, row.prediction.extrapolating});
  }
  return plot;
}

}  // namespace sextant::report
