#include "sextant/ask/simulation_verdict.h"

#include <functional>
#include <map>

#include "seed_runs.h"
#include "sextant/simulate/compare.h"
#include "sextant/stats/hypothesis.h"
#include "sextant/stats/summary.h"

namespace sextant::ask {
namespace {

constexpr double kLevel = 0.95;
constexpr double kWorthSaying = 1.01;    // a loss of a per cent is none
constexpr std::int64_t kFewestJobs = 5;  // of a group, for a mean that says anything
constexpr double kMuchLost = 0.1;        // of the GPU time that jobs hold

// A policy as the verdict sees it.
struct Contender {
  std::size_t policy = 0;
  double completed = 0;
  double mean_jct_s = 0;
  const SeedRuns* runs = nullptr;
};

// Most jobs completed, then shortest mean: a mean over fewer jobs is no better.
std::vector<Contender> contenders(const std::vector<SeedRuns>& policies) {
  std::vector<Contender> list;
  for (const SeedRuns& runs : policies) {
    const std::vector<double> means = seed_values(runs, mean_jct);
    if (means.empty() || !all_finite(means)) continue;
    Contender each{.policy = runs.front()->policy, .mean_jct_s = stats::mean(means), .runs = &runs};
    for (const simulate::SweepRun* run : runs) each.completed += static_cast<double>(run->metrics.completed);
    list.push_back(each);
  }
  std::ranges::stable_sort(list, [](const Contender& a, const Contender& b) {
    return a.completed != b.completed ? a.completed > b.completed : a.mean_jct_s < b.mean_jct_s;
  });
  return list;
}

// Mean over seeds of the mean of a group; nothing where it has too few jobs.
std::optional<double> group_mean(const SeedRuns& runs, std::size_t group) {
  double sum = 0;
  for (const simulate::SweepRun* run : runs) {
    if (group >= run->groups.groups.size()) return std::nullopt;
    const simulate::GroupTime& time = run->groups.groups[group];
    if (time.completed < kFewestJobs) return std::nullopt;
    sum += time.mean_jct.value;
  }
  return sum / static_cast<double>(runs.size());
}

template <class Time>
void add_loss(const std::vector<Contender>& list, const std::string& what, const Time& time,
              std::vector<PolicyLoss>& losses) {
  const std::optional<double> best = time(*list.front().runs);
  if (!best) return;
  PolicyLoss loss{.what = what, .best_s = *best, .other_s = *best};
  for (const Contender& each : list) {
    const std::optional<double> other = time(*each.runs);
    if (!other || *other >= loss.other_s) continue;
    loss.other_s = *other;
    loss.other = each.policy;
  }
  if (loss.best_s > kWorthSaying * loss.other_s) losses.push_back(loss);
}

// The tail, and the group that loses most.
std::vector<PolicyLoss> losses_of(const std::vector<Contender>& list) {
  std::vector<PolicyLoss> losses;
  add_loss(
      list, "p99 JCT",
      [](const SeedRuns& runs) { return std::optional(stats::mean(seed_values(runs, p99_jct))); }, losses);
  std::vector<PolicyLoss> of_groups;
  const std::vector<simulate::GroupTime>& groups = list.front().runs->front()->groups.groups;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    add_loss(
        list, groups[g].jobs, [g](const SeedRuns& runs) { return group_mean(runs, g); }, of_groups);
  }
  const auto worst = std::ranges::max_element(
      of_groups, {}, [](const PolicyLoss& loss) { return loss.best_s / loss.other_s; });
  if (worst != of_groups.end()) losses.push_back(*worst);
  return losses;
}

std::vector<RestartLoss> restart_losses_of(const std::vector<SeedRuns>& policies) {
  std::vector<RestartLoss> losses;
  for (const SeedRuns& runs : policies) {
    RestartLoss loss{.policy = runs.front()->policy};
    double held = 0;
    double productive = 0;
    for (const simulate::SweepRun* run : runs) {
      loss.restarts += static_cast<double>(run->metrics.restarts) / static_cast<double>(runs.size());
      held += run->metrics.utilization;
      productive += run->metrics.goodput;
    }
    loss.share = held > 0 ? 1 - productive / held : 0;
    if (loss.share >= kMuchLost && loss.restarts >= 1) losses.push_back(loss);
  }
  std::ranges::stable_sort(losses, std::greater<>(), &RestartLoss::share);
  return losses;
}

void add_difference(const simulate::SweepPlan& plan, const std::vector<Contender>& list,
                    PolicyVerdict& verdict) {
  const SeedRuns& best = *list[0].runs;
  const SeedRuns& second = *list[1].runs;
  const double level = 1 - (1 - kLevel) / static_cast<double>(list.size() - 1);
  if (best.size() > 1) {
    verdict.basis = DifferenceBasis::seeds;
    verdict.samples = best.size();
    verdict.difference_s =
        stats::paired_t_test(seed_values(second, mean_jct), seed_values(best, mean_jct), level).interval;
    return;
  }
  const std::vector<double>& ours = best.front()->groups.batch_jct_s;
  const std::vector<double>& theirs = second.front()->groups.batch_jct_s;
  // Where each run drops a warm-up of its own, batches are not the same jobs.
  if (ours.empty() || ours.size() != theirs.size() || plan.warm_up) return;
  verdict.basis = DifferenceBasis::batches;
  verdict.samples = ours.size();
  verdict.difference_s =
      simulate::bootstrap_difference(theirs, ours, Rng(0).stream("verdict"), level).interval;
}

PolicyVerdict verdict_of(const simulate::SweepPlan& plan, const std::vector<SeedRuns>& policies) {
  const simulate::SweepRun& any = *policies.front().front();
  PolicyVerdict verdict{.cluster = any.cluster, .load = any.load};
  verdict.offered_load = stats::mean(
      seed_values(policies.front(), [](const simulate::SweepRun& run) { return run.groups.offered_load; }));
  verdict.restart_losses = restart_losses_of(policies);
  const std::vector<SeedRuns> common = with_common_seeds(policies);
  const std::vector<Contender> list = contenders(common);
  if (list.empty()) return verdict;
  verdict.best = list[0].policy;
  verdict.completed = list[0].completed;
  verdict.mean_jct_s = list[0].mean_jct_s;
  if (list.size() < 2) return verdict;
  verdict.second = list[1].policy;
  verdict.second_completed = list[1].completed;
  verdict.second_jct_s = list[1].mean_jct_s;
  if (!verdict.same_jobs()) return verdict;
  add_difference(plan, list, verdict);
  const auto fewer = [&](const Contender& each) { return each.completed != list[0].completed; };
  if (std::ranges::none_of(list, fewer)) verdict.losses = losses_of(list);
  return verdict;
}

}  // namespace

std::vector<SeedRuns> with_common_seeds(const std::vector<SeedRuns>& policies) {
  std::map<std::uint64_t, std::size_t> policies_with;
  for (const SeedRuns& runs : policies) {
    for (const simulate::SweepRun* run : runs) ++policies_with[run->seed];
  }
  std::vector<SeedRuns> common = policies;
  for (SeedRuns& runs : common) {
    std::erase_if(
        runs, [&](const simulate::SweepRun* run) { return policies_with.at(run->seed) < policies.size(); });
  }
  return common;
}

std::vector<PolicyVerdict> verdicts(const simulate::SweepPlan& plan,
                                    const std::vector<simulate::SweepRun>& runs) {
  std::vector<PolicyVerdict> list;
  for (const std::vector<SeedRuns>& policies : runs_by_policy(plan, runs)) {
    list.push_back(verdict_of(plan, policies));
  }
  return list;
}

}  // namespace sextant::ask
