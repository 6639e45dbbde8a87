#include "sextant/report/dependability_report.h"

#include <algorithm>

#include "analysis_cells.h"
#include "sextant/core/text.h"
#include "sextant/core/unit_text.h"

namespace sextant::report {
namespace {

using ask::DependabilityAnswer;
using ask::DependabilityRow;
using enum Importance;

// Below it a test refuses what the closed forms suppose.
constexpr double kLevel = 0.01;

std::string burstiness_sentence(const DependabilityAnswer& answer) {
  if (!answer.burstiness) return "The failures are too few to tell whether they are bursty.";
  const failures::Burstiness& found = *answer.burstiness;
  std::vector<std::string> faults;
  if (found.shape_p < kLevel) {
    faults.push_back("the gaps between them are no exponential ones (Weibull shape " +
                     digits_cell(found.shape).shown + ", " + analysis_cells::p_text(found.shape_p) + ")");
  }
  if (found.together_p < kLevel) {
    faults.push_back(percent_words(found.together) + " come within a restart of one on another node, where " +
                     percent_words(found.expected_together) + " would by chance");
  }
  if (faults.empty()) return "Nothing speaks against independent failures, as the closed forms suppose them.";
  return "The failures are bursty, so closed forms are off: " + join(faults, "; ") + ".";
}

std::string best_sentence(const DependabilityAnswer& answer) {
  const auto largest = std::ranges::max_element(answer.rows, {}, &DependabilityRow::nodes);
  const auto best = std::ranges::find_if(answer.rows, [&](const DependabilityRow& row) {
    return row.nodes == largest->nodes && row.rule == "best";
  });
  return "A job on " + std::to_string(best->nodes) + " of " + std::to_string(answer.log.nodes) +
         " nodes should write a checkpoint every " + human(best->every) + ": " +
         percent_words(best->forecast.goodput) + " of its time then counts, " +
         percent_words(best->forecast.low) + " to " + percent_words(best->forecast.high) +
         " with 90 % confidence.";
}

Fields<DependabilityRow> row_fields(bool split) {
  using R = const DependabilityRow&;
  Fields<DependabilityRow> fields = {
      {"nodes", "nodes", [](R r) { return Cell(r.nodes); }, identity},
      {"rule", "rule", [](R r) { return Cell(r.rule); }, identity},
      {"every_s", "every", [](R r) { return Cell(r.every); }, essential},
      {"goodput", "goodput", [](R r) { return percent_cell(r.forecast.goodput); }, essential},
      {"goodput_low", "90 % low", [](R r) { return percent_cell(r.forecast.low); }, essential},
      {"goodput_high", "90 % high", [](R r) { return percent_cell(r.forecast.high); }, essential},
      {"closed_form", "closed form", [](R r) { return percent_cell(r.closed_form); }},
  };
  if (split) {
    fields.push_back({"replayed", "replayed",
                      [](R r) { return r.replayed ? percent_cell(*r.replayed) : Cell(); }, essential});
    fields.push_back({"lost", "lost", [](R r) { return r.lost ? percent_cell(*r.lost) : Cell(); }, usual});
  }
  fields = explained(std::move(fields),
                     {{"rule", "best: of a replay of the log; young, daly: by their formulas"},
                      {"goodput", "share of the time whose work is kept, in a replay of the log"},
                      {"closed_form", "goodput by Daly's formula, for independent exponential failures"}});
  if (!split) return fields;
  return explained(std::move(fields),
                   {{"replayed", "goodput in the rest of the log, which the forecast did not see"},
                    {"lost", "goodput that another time would have won in the rest"}});
}

Fields<DependabilityAnswer> log_fields() {
  using A = const DependabilityAnswer&;
  using Test = double failures::Burstiness::*;
  const auto tested = [](Test member) {
    return [member](A a) { return a.burstiness ? digits_cell((*a.burstiness).*member) : Cell(); };
  };
  return {
      {"failures", "failures", [](A a) { return Cell(std::ssize(a.log.failures)); }},
      {"cluster_nodes", "nodes", [](A a) { return Cell(a.log.nodes); }},
      {"period_s", "period", [](A a) { return Cell(a.log.period); }},
      {"node_mtbf_s", "MTBF of a node", [](A a) { return Cell(a.log.node_mtbf()); }},
      {"gap_scv", "squared CV of gaps", tested(&failures::Burstiness::scv), detail},
      {"weibull_shape", "Weibull shape", tested(&failures::Burstiness::shape), detail},
      {"weibull_shape_p", "p", tested(&failures::Burstiness::shape_p), detail},
      {"together", "together", tested(&failures::Burstiness::together), detail},
      {"together_by_chance", "by chance", tested(&failures::Burstiness::expected_together), detail},
      {"together_p", "p", tested(&failures::Burstiness::together_p), detail},
      {"second_half", "in the second half", tested(&failures::Burstiness::last_half), detail},
  };
}

}  // namespace

Result dependability_result(const DependabilityAnswer& answer) {
  Table sentences;
  sentences.notes = {std::to_string(answer.log.failures.size()) + " failures of " +
                         std::to_string(answer.log.nodes) + " nodes in " + human(answer.log.period) +
                         ": a node fails every " + human(answer.log.node_mtbf()) + " on average.",
                     burstiness_sentence(answer), best_sentence(answer)};
  const bool split = answer.rows.front().replayed.has_value();
  Table table = table_of(row_fields(split), answer.rows);
  return {.schema = "sextant.dependability/1",
          .sections = {{.key = "jobs", .table = table, .shown = false},
                       {.table = std::move(sentences)},
                       {.table = std::move(table)}},
          .facts = facts_of(log_fields(), answer)};
}

}  // namespace sextant::report
