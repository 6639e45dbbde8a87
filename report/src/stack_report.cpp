#include "sextant/report/stack_report.h"

#include <cmath>
#include <set>
#include <sstream>

#include "sextant/report/render.h"

namespace sextant {
namespace {

// A half-width of log time as the larger of the two sides, relative.
Cell width(double log_half_width) {
  return percent_cell(std::exp(log_half_width) - 1);
}

double mean_error(const Stack& stack, std::span<const Observation* const> rows) {
  double sum = 0;
  for (const Observation* row : rows) {
    sum += std::abs(std::exp(estimate(stack, *row).log_total) / row->seconds - 1);
  }
  return sum / static_cast<double>(rows.size());
}

Cell verdict(const AccuracyLine& line) {
  if (!line.target) return {};
  return line.mean_error() <= *line.target ? "yes" : "no";
}

}  // namespace

Table stack_table(const Stack& stack, std::span<const Observation* const> rows) {
  std::set<std::string> gpus;
  std::set<std::string> nets;
  for (const Observation* row : rows) {
    gpus.insert(row->labels.gpu);
    nets.insert(row->labels.net);
  }
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
  table.rows.push_back({stack.id, static_cast<std::int64_t>(rows.size()),
                        static_cast<std::int64_t>(gpus.size()), static_cast<std::int64_t>(nets.size()),
                        percent_cell(mean_error(stack, rows)), width(stack.spread.seen),
                        width(stack.spread.new_net), width(stack.spread.new_gpu),
                        width(stack.spread.anchored)});
  return table;
}

Table accuracy_table(const std::vector<AccuracyLine>& lines) {
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

std::string accuracy_page(const std::vector<AccuracyLine>& lines) {
  std::ostringstream page;
  page
      << "# How far predictions are off\n\n"
         "Written by `sextant accuracy --data DATA --out docs/accuracy.md`, where DATA holds the tables that "
         "the\nrecipes in `predict/recipes/` and the pages of the models name. Nobody edits this page by "
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

}  // namespace sextant
