#include "plan_simulation_verdict.h"

#include <algorithm>
#include <cmath>

#include "sextant/core/unit_text.h"
#include "sextant/report/table.h"

namespace sextant::report {
namespace {

using ask::MethodContrast;
using ask::MethodSummary;
using ask::PlanSimulation;
using ask::PlanSummary;

const std::string& method_name(const PlanSimulation& simulation, std::size_t method) {
  return simulation.plan.methods[method].text;
}

const MethodSummary& summary_of(const PlanSummary& summary, std::size_t method) {
  return *std::ranges::find(summary.methods, method, &MethodSummary::method);
}

std::string points(double share) {
  return readable(std::round(1000 * share) / 10) + " points";
}

std::string pairs_text(const MethodContrast& contrast) {
  return "paired over " + std::to_string(contrast.pairs) + " runs";
}

std::string cost_text(const PlanSimulation& simulation, const PlanSummary& summary,
                      const MethodContrast& best) {
  const std::string first = method_name(simulation, best.method);
  const std::string second = method_name(simulation, best.against);
  const std::string mean = human(Dollars{summary_of(summary, best.method).total_usd.mean});
  const std::string begin = first + " costs the least, " + mean + (best.pairs > 1 ? " a run on average" : "");
  if (!std::isfinite(best.cost_change)) return begin + ".";
  const std::string less = percent_cell(std::abs(best.cost_change)).shown;
  const std::string change = begin + ": " + less +
                             (best.cost_change <= 0 ? " less than " : " more, run by run, than ") + second +
                             ", the runner-up";
  if (!best.cost_interval) return change + "; with so few runs, it may be chance.";
  const std::string range =
      percent_words(best.cost_interval->low) + " to " + percent_words(best.cost_interval->high);
  if (best.cost_interval->contains(0)) {
    return change + "; it may be chance, since the 95 % interval of the change, " + range + ", includes 0 (" +
           pairs_text(best) + ").";
  }
  return change + "; the change is " + range + " with 95 % confidence (" + pairs_text(best) + ").";
}

std::string met_text(const PlanSimulation& simulation, const PlanSummary& summary,
                     const MethodContrast& best) {
  const MethodSummary& first = summary_of(summary, best.method);
  const MethodSummary& second = summary_of(summary, best.against);
  if (first.met.mean == second.met.mean) {
    return method_name(simulation, best.method) + " and " + method_name(simulation, best.against) +
           " keep as many due dates, " + percent_words(first.met.mean) + " of all jobs.";
  }
  std::string text = method_name(simulation, best.method) + " keeps the most due dates, " +
                     percent_words(first.met.mean) + " of all jobs, against " +
                     percent_words(second.met.mean) + " under " + method_name(simulation, best.against) +
                     ", the runner-up";
  if (!best.met_interval) return text + "; with so few runs, it may be chance.";
  return text + "; the difference is " + points(best.met_interval->low) + " to " +
         points(best.met_interval->high) + " with 95 % confidence (" + pairs_text(best) + ").";
}

}  // namespace

std::string plan_verdict_text(const PlanSimulation& simulation, const PlanSummary& summary) {
  if (!summary.verdict) return {};
  return summary.measure == ask::PlanMeasure::met ? met_text(simulation, summary, *summary.verdict)
                                                  : cost_text(simulation, summary, *summary.verdict);
}

std::string plan_contrast_text(const PlanSimulation& simulation, const MethodContrast& contrast) {
  std::string text = method_name(simulation, contrast.method) + " against " +
                     method_name(simulation, contrast.against) + ": ";
  if (std::isfinite(contrast.cost_change)) {
    text += "cost " + percent_words(contrast.cost_change);
    if (contrast.cost_interval) {
      text += " (" + percent_words(contrast.cost_interval->low) + " to " +
              percent_words(contrast.cost_interval->high) + ")";
    }
    text += ", ";
  }
  return text + "due dates kept " + (contrast.met_change >= 0 ? "+" : "") + points(contrast.met_change);
}

}  // namespace sextant::report
