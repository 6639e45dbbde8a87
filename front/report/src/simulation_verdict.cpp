#include "simulation_verdict.h"

#include <cmath>

#include "sextant/core/text.h"
#include "sextant/core/unit_text.h"
#include "sextant/report/fields.h"

namespace sextant::report {
namespace {

using ask::PolicyLoss;
using ask::PolicyVerdict;
using simulate::SweepPlan;
using enum Importance;

constexpr double kSame = 1e-9;  // of a time; below it two are one

struct VerdictRow {
  const SweepPlan& plan;
  const PolicyVerdict& verdict;
};

std::string name_in(const SweepPlan& plan, std::size_t policy) {
  return to_string(plan.policies[policy]);
}

std::string signed_text(double seconds) {
  return (seconds < 0 ? "-" : "") + human(Seconds{std::abs(seconds)});
}

// "9.2 % longer", "3.4 times as long"
std::string longer_text(double time, double than) {
  const double ratio = time / than;
  if (ratio < 2) return percent_cell(ratio - 1).shown + " longer than";
  return digits_cell(std::round(10 * ratio) / 10).shown + " times as long as";
}

std::string place_text(const SweepPlan& plan, const PolicyVerdict& verdict) {
  std::string where = plan.clusters.size() > 1 ? plan.clusters[verdict.cluster].name + ": " : "";
  if (plan.loads.size() > 1) where += "load " + number_text(plan.loads[verdict.load]) + ": ";
  return where;
}

std::string basis_text(const PolicyVerdict& verdict) {
  const std::string samples = std::to_string(verdict.samples);
  return verdict.basis == ask::DifferenceBasis::seeds
             ? "paired over " + samples + " seeds"
             : "bootstrap over " + samples + " batches of consecutive jobs of one run";
}

std::string confidence_text(const PolicyVerdict& verdict) {
  if (!verdict.difference_s) return "too few jobs for an interval, so it may be chance";
  const std::string range =
      signed_text(verdict.difference_s->low) + " to " + signed_text(verdict.difference_s->high);
  if (verdict.sure())
    return "the difference is " + range + " with 95 % confidence (" + basis_text(verdict) + ")";
  return "it may be chance, since the 95 % interval of the difference, " + range + ", includes 0 (" +
         basis_text(verdict) + ")";
}

std::string best_text(const SweepPlan& plan, const PolicyVerdict& verdict) {
  const std::string best = name_in(plan, *verdict.best);
  const std::string second = name_in(plan, *verdict.second);
  const std::string mean = human(Seconds{verdict.mean_jct_s});
  if (!verdict.same_jobs()) {
    return best + " completes the most jobs, " + number_text(verdict.completed) + " against " +
           number_text(verdict.second_completed) + " under " + second +
           ", the runner-up; mean times count what completed, so they cannot be compared";
  }
  if (verdict.second_jct_s - verdict.mean_jct_s <= kSame * verdict.second_jct_s) {
    return best + " and " + second + " share the best mean JCT, " + mean;
  }
  return best + " is best by mean JCT, " + mean + ": " +
         percent_cell(1 - verdict.mean_jct_s / verdict.second_jct_s).shown + " shorter than under " + second +
         ", the runner-up; " + confidence_text(verdict);
}

std::string loss_text(const SweepPlan& plan, const PolicyLoss& loss) {
  const bool tail = loss.what == "p99 JCT";
  return (tail ? "the p99 JCT, " : loss.what + ", ") + human(Seconds{loss.best_s}) + ", " +
         (tail ? "is " : "take ") + longer_text(loss.best_s, loss.other_s) + " under " +
         name_in(plan, loss.other);
}

std::string losses_text(const SweepPlan& plan, const PolicyVerdict& verdict) {
  if (verdict.losses.empty()) {
    return "It costs nobody much: neither the p99 JCT nor the mean JCT of any group of jobs, by GPUs or by "
           "run "
           "time, is more than 1 % longer than under another policy.";
  }
  std::vector<std::string> parts;
  for (const PolicyLoss& loss : verdict.losses) parts.push_back(loss_text(plan, loss));
  return "What it costs: " + join(parts, "; ") + ".";
}

Fields<VerdictRow> policy_verdict_fields() {
  using R = const VerdictRow&;
  const auto policy = [](R r, const std::optional<std::size_t>& place) {
    return place ? Cell(name_in(r.plan, *place)) : Cell();
  };
  return {
      {"cluster", "cluster", [](R r) { return Cell(r.plan.clusters[r.verdict.cluster].name); }, essential},
      {"load", "load", [](R r) { return Cell(r.plan.loads[r.verdict.load]); }, essential},
      {"best", "best", [policy](R r) { return policy(r, r.verdict.best); }, essential},
      {"runner_up", "runner-up", [policy](R r) { return policy(r, r.verdict.second); }, essential},
      {"mean_jct_s", "mean JCT",
       [](R r) { return r.verdict.best ? Cell(Seconds{r.verdict.mean_jct_s}) : Cell(); }},
      {"runner_up_mean_jct_s", "runner-up's",
       [](R r) { return r.verdict.second ? Cell(Seconds{r.verdict.second_jct_s}) : Cell(); }},
      {"difference_low_s", "at least",
       [](R r) { return r.verdict.difference_s ? Cell(Seconds{r.verdict.difference_s->low}) : Cell(); }},
      {"difference_high_s", "at most",
       [](R r) { return r.verdict.difference_s ? Cell(Seconds{r.verdict.difference_s->high}) : Cell(); }},
      {"interval_over", "over",
       [](R r) {
         if (!r.verdict.difference_s) return Cell();
         return Cell(r.verdict.basis == ask::DifferenceBasis::seeds ? "seeds" : "batches");
       }},
      {"sure", "sure", [](R r) { return r.verdict.second ? Cell(r.verdict.sure()) : Cell(); }},
      {"offered_load", "offered load",
       [](R r) { return r.verdict.offered_load > 0 ? digits_cell(r.verdict.offered_load) : Cell(); }},
      {"sentence", "", [](R r) { return Cell(join(verdict_lines(r.plan, r.verdict), " ")); }, detail},
  };
}

}  // namespace

std::vector<std::string> verdict_lines(const SweepPlan& plan, const PolicyVerdict& verdict) {
  const std::string where = place_text(plan, verdict);
  std::vector<std::string> lines;
  if (verdict.best && verdict.second) {
    lines.push_back(where + best_text(plan, verdict) + ".");
    if (verdict.same_jobs()) lines.push_back(losses_text(plan, verdict));
  }
  if (verdict.offered_load > 1) {
    lines.push_back(where + "Unstable: the jobs need at least " + digits_cell(verdict.offered_load).shown +
                    " times the GPU time that there is while they arrive, so the queue grows as long as jobs "
                    "arrive, and all times with the length of the trace.");
  }
  return lines;
}

Table verdicts_table(const SweepPlan& plan, const std::vector<PolicyVerdict>& verdicts) {
  std::vector<VerdictRow> rows;
  for (const PolicyVerdict& verdict : verdicts) rows.push_back({plan, verdict});
  return table_of(policy_verdict_fields(), rows);
}

}  // namespace sextant::report
