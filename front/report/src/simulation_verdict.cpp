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

constexpr double kSame = 1e-3;  // of a time; a difference below it matters to nobody

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
  if (ratio < 2) return percent_words(ratio - 1) + " longer than";
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
    return "No difference that matters: " + best + " and " + second +
           " have the same mean JCT to within 0.1 %, " + mean;
  }
  return best + " is best by mean JCT, " + mean + ": " +
         percent_words(1 - verdict.mean_jct_s / verdict.second_jct_s) + " shorter than under " + second +
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
    return "No group of jobs, by GPUs or by run time, loses more than 1 % against another policy, and "
           "neither does the p99 JCT.";
  }
  std::vector<std::string> parts;
  for (const PolicyLoss& loss : verdict.losses) parts.push_back(loss_text(plan, loss));
  return "What " + name_in(plan, *verdict.best) + " costs: " + join(parts, "; ") + ".";
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

// "a, b and c"
std::string listed_policies(const std::vector<std::string>& names) {
  if (names.size() < 2) return join(names, "");
  return join(std::span(names).first(names.size() - 1), ", ") + " and " + names.back();
}

}  // namespace

std::string told_line(const SweepPlan& plan) {
  std::vector<std::string> names;
  for (const schedule::PolicyChoice& choice : plan.policies) {
    if (sees_run_times(choice)) names.push_back(to_string(choice));
  }
  if (names.empty()) return "";
  const std::string who = listed_policies(names);
  if (plan.plan_by_limits) return who + " planned by the users' time limits; jobs ran for their own time.";
  return who + (names.size() == 1 ? " was" : " were") +
         " told the exact run time of every job. Where the trace has time limits, `plan_by` limits makes " +
         (names.size() == 1 ? "it" : "them") + " plan by those.";
}

std::vector<std::string> verdict_lines(const SweepPlan& plan, const PolicyVerdict& verdict) {
  const std::string where = place_text(plan, verdict);
  std::vector<std::string> lines;
  if (verdict.best && verdict.second) {
    lines.push_back(where + best_text(plan, verdict) + ".");
    if (verdict.same_jobs()) lines.push_back(losses_text(plan, verdict));
  }
  if (verdict.offered_load > 1) {
    lines.push_back(where + "Overloaded: the jobs need at least " + digits_cell(verdict.offered_load).shown +
                    " times the GPUs that there are. The queue keeps growing while jobs arrive, so all times "
                    "depend on how long the trace is.");
  }
  for (const ask::RestartLoss& loss : verdict.restart_losses) {
    const double restarts = std::round(loss.restarts);
    lines.push_back(where + name_in(plan, loss.policy) + " spends " + percent_words(loss.share) +
                    " of its GPU time without progress: on starts, checkpoints, " + number_text(restarts) +
                    (restarts == 1 ? " restart" : " restarts") + " and the work that these undo.");
  }
  return lines;
}

Table verdicts_table(const SweepPlan& plan, const std::vector<PolicyVerdict>& verdicts) {
  std::vector<VerdictRow> rows;
  for (const PolicyVerdict& verdict : verdicts) rows.push_back({plan, verdict});
  return table_of(policy_verdict_fields(), rows);
}

}  // namespace sextant::report
