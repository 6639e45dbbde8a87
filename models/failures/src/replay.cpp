#include "sextant/failures/replay.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sextant/core/error.h"

namespace sextant::failures {
namespace {

// Which of the cluster's nodes the job has: the first `nodes` of a shuffle (Fisher and Yates).
std::vector<bool> drawn_nodes(std::int64_t cluster, std::int64_t nodes, Rng rng) {
  std::vector<std::int64_t> order(static_cast<std::size_t>(cluster));
  std::iota(order.begin(), order.end(), 0);
  std::vector<bool> drawn(order.size(), false);
  for (std::size_t i = 0; i < static_cast<std::size_t>(nodes); ++i) {
    std::swap(order[i], order[i + rng.below(order.size() - i)]);
    drawn[static_cast<std::size_t>(order[i])] = true;
  }
  return drawn;
}

}  // namespace

std::vector<Interruptions> draw_jobs(const FailureLog& log, std::int64_t nodes, std::int64_t draws,
                                     const Rng& rng) {
  if (nodes < 1 || nodes > log.nodes) {
    throw InputError(at_field("nodes"), "a job on " + std::to_string(nodes) + " nodes of a cluster of " +
                                            std::to_string(log.nodes));
  }
  std::vector<Interruptions> jobs;
  for (std::int64_t i = 0; i < draws; ++i) {
    const auto drawn = drawn_nodes(log.nodes, nodes, rng.stream("nodes", static_cast<std::uint64_t>(i)));
    jobs.push_back({.at = {}, .period = log.period});
    for (const Failure& failure : log.failures) {
      if (drawn[static_cast<std::size_t>(failure.node)]) jobs.back().at.push_back(failure.at);
    }
  }
  return jobs;
}

double goodput(const Interruptions& interruptions, const InterruptionCosts& costs, Seconds every) {
  if (!(every.value > 0)) throw InputError("the time between checkpoints must be above 0");
  const Seconds turn = every + costs.checkpoint;
  const auto kept_until = [&](Seconds runs) { return std::floor(runs / turn) * every; };
  Seconds kept{};
  Seconds running_from{};
  for (const Seconds failed : interruptions.at) {
    if (failed > running_from) kept += kept_until(failed - running_from);
    running_from = std::max(running_from, failed + costs.restart);
  }
  if (interruptions.period > running_from) {
    const Seconds runs = interruptions.period - running_from;
    const Seconds written = std::floor(runs / turn) * turn;
    kept += kept_until(runs) + std::min(every, runs - written);
  }
  return kept / interruptions.period;
}

double mean_goodput(const std::vector<Interruptions>& jobs, const InterruptionCosts& costs, Seconds every) {
  double sum = 0;
  for (const Interruptions& job : jobs) sum += goodput(job, costs, every);
  return sum / static_cast<double>(jobs.size());
}

}  // namespace sextant::failures
