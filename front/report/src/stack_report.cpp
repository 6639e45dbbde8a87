#include "sextant/report/stack_report.h"

#include <cmath>
#include <sstream>

#include "sextant/report/render.h"

namespace sextant::report {
namespace {

// A half-width of log time as the larger of the two sides, relative.
Cell width(double log_half_width) {
  return percent_cell(std::exp(log_half_width) - 1);
}

Cell verdict(const stats::AccuracyLine& line) {
  if (!line.target) return {};
  return line.mean_error() <= *line.target ? "yes" : "no";
}

}  // namespace

Table stack_table(const ask::KernelFit& fit) {
  const predict::Stack& stack = fit.stack;
  Table table{.columns = {{"stack", "stack"},
                          {"rows", "steps"},
                          {"gpus", "GPUs"},
                          {"nets", "networks"},
                          {"mean_error_fitted", "error, fitted rows"},
                          {"interval_seen", "interval, known"},
                          {"interval_new_net", "new network"},
                          {"interval_new_gpu", "new GPU"},
                          {"interval_anchored", "after 8 timings"}},
              .rows = {},
              .notes = {}};
  table.rows.push_back({stack.id, static_cast<std::int64_t>(stack.rows), static_cast<std::int64_t>(fit.gpus),
                        static_cast<std::int64_t>(fit.nets), percent_cell(fit.mean_error),
                        width(stack.spread.seen), width(stack.spread.new_net), width(stack.spread.new_gpu),
                        width(stack.spread.anchored)});
  return table;
}

Table accuracy_table(const std::vector<stats::AccuracyLine>& lines) {
  Table table{.columns = {{"data", "measured on"},
                          {"left_out", "left out"},
                          {"n", "cases"},
                          {"mean_error", "mean error"},
                          {"target", "at most"},
                          {"met", "met"},
                          {"median_error", "median"},
                          {"p90_error", "p90"},
                          {"coverage", "inside the 90 % interval"},
                          {"half_width", "median half-width"}},
              .rows = {},
              .notes = {}};
  for (const auto& line : lines) {
    table.rows.push_back({line.data, line.left_out, static_cast<std::int64_t>(line.cases.size()),
                          percent_cell(line.mean_error()), line.target ? percent_cell(*line.target) : Cell(),
                          verdict(line), percent_cell(line.median_error()), percent_cell(line.error_at(0.9)),
                          percent_cell(line.coverage()), percent_cell(line.median_half_width())});
  }
  return table;
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
  render_markdown(page, accuracy_table(lines));
  page << "\n## By what was left out\n\nMean error, worst first.\n\n";
  for (const auto& line : lines) {
    page << "- **" << line.data << ", " << line.left_out << "**: ";
    bool first = true;
    for (const auto& [group, error] : line.by_group()) {
      page << (first ? "" : ", ") << group << " " << percent_cell(error).shown;
      first = false;
    }
    page << "\n";
  }
  return page.str();
}

}  // namespace sextant::report
