#include "sextant/report/stack_report.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "sextant/report/render.h"

namespace sextant::report {
namespace {

using ask::KernelFit;
using enum Importance;
using stats::AccuracyLine;

// A half-width of log time as the larger of the two sides, relative.
Cell width(double log_half_width) {
  return percent_cell(std::exp(log_half_width) - 1);
}

Cell target_met(const AccuracyLine& line) {
  return line.target ? Cell(line.mean_error() <= *line.target) : Cell();
}

Cell group_errors(const AccuracyLine& line) {
  Json errors = Json::object();
  for (const auto& [group, error] : line.by_group()) errors[group] = error;
  return Cell::nested(std::move(errors));
}

Fields<KernelFit> stack_fit_fields() {
  const auto count = [](std::size_t n) { return Cell(static_cast<std::int64_t>(n)); };
  return {
      {"stack", "stack", [](const KernelFit& f) { return Cell(f.stack.id); }, identity},
      {"rows", "steps", [=](const KernelFit& f) { return count(f.stack.rows); }},
      {"gpus", "GPUs", [=](const KernelFit& f) { return count(f.gpus); }},
      {"nets", "networks", [=](const KernelFit& f) { return count(f.nets); }},
      {"mean_error_fitted", "error, fitted rows",
       [](const KernelFit& f) { return percent_cell(f.mean_error); }, essential},
      {"interval_seen", "interval, known", [](const KernelFit& f) { return width(f.stack.spread.seen); }},
      {"interval_new_net", "new network", [](const KernelFit& f) { return width(f.stack.spread.new_net); }},
      {"interval_new_gpu", "new GPU", [](const KernelFit& f) { return width(f.stack.spread.new_gpu); }},
      {"interval_anchored", "after 8 timings",
       [](const KernelFit& f) { return width(f.stack.spread.anchored); }},
  };
}

Fields<AccuracyLine> accuracy_fields() {
  return {
      {"data", "measured on", [](const AccuracyLine& l) { return Cell(l.data); }, identity},
      {"left_out", "left out", [](const AccuracyLine& l) { return Cell(l.left_out); }, identity},
      {"n", "cases", [](const AccuracyLine& l) { return Cell(static_cast<std::int64_t>(l.cases.size())); }},
      {"mean_error", "mean error", [](const AccuracyLine& l) { return percent_cell(l.mean_error()); },
       essential},
      {"target", "at most",
       [](const AccuracyLine& l) { return l.target ? percent_cell(*l.target) : Cell(); }},
      {"met", "met", [](const AccuracyLine& l) { return target_met(l); }, essential},
      {"median_error", "median", [](const AccuracyLine& l) { return percent_cell(l.median_error()); }},
      {"p90_error", "p90", [](const AccuracyLine& l) { return percent_cell(l.error_at(0.9)); }},
      {"coverage", "inside the 90 % interval",
       [](const AccuracyLine& l) { return l.intervals ? percent_cell(l.coverage()) : Cell(); }},
      {"half_width", "median half-width",
       [](const AccuracyLine& l) { return l.intervals ? percent_cell(l.median_half_width()) : Cell(); }},
      {"mean_error_by_group", "", [](const AccuracyLine& l) { return group_errors(l); }, detail},
  };
}

}  // namespace

Result stack_fit_result(const ask::KernelFit& fit) {
  return {.schema = "sextant.fit-kernel/1", .facts = facts_of(stack_fit_fields(), fit)};
}

Result accuracy_result(const std::vector<AccuracyLine>& lines) {
  return {.schema = "sextant.accuracy/1",
          .sections = {{.key = "lines", .table = table_of(accuracy_fields(), lines)}}};
}

std::string accuracy_page(const std::vector<stats::AccuracyLine>& lines) {
  std::ostringstream page;
  page
      << "# How far predictions are off\n\n"
         "Written by `sextant accuracy --data DATA --out docs/accuracy.md`, where DATA holds the tables that "
         "the\nrecipes in `models/predict/recipes/` and the pages of the models name. Nobody edits this page "
         "by "
         "hand.\n\n"
         "The error of a case is |predicted - measured| / measured. What a line leaves out is left out of "
         "everything:\nthe coefficients, the corrections of devices, the effects of groups, and the width of "
         "the intervals are\nfitted again on the rest for each fold. Cases of all folds are pooled. An "
         "interval is stated as 90 %.\nThe cases to time on a new device are named by the program before it "
         "sees any time of that device.\n\n";
  render_markdown(page, table_of(accuracy_fields(), lines));
  page << "\n## By what was left out\n\nMean error, worst first.\n\n";
  for (const auto& line : lines) {
    page << "- **" << line.data << ", " << line.left_out << "**: ";
    bool first = true;
    for (const auto& [group, error] : line.by_group()) {
      page << (first ? "" : ", ") << group << " " << percent_words(error);
      first = false;
    }
    page << "\n";
  }
  return page.str();
}

}  // namespace sextant::report
