#include "sextant/queueing/sizing.h"

#include <cmath>

#include "sextant/core/error.h"
#include "sextant/core/text.h"
#include "sextant/core/unit_text.h"

namespace sextant::queueing {
namespace {

void check_target(const std::optional<Seconds>& target, const char* what) {
  if (!target || (std::isfinite(target->value) && target->value >= 0)) return;
  throw InputError({}, std::string(what) + " " + number_text(target->value) + " is negative or not finite");
}

void check_question(QueueModel model, const WaitTargets& targets, std::int64_t limit) {
  if (model != QueueModel::mmc && model != QueueModel::ggc) {
    throw InputError("the number of servers can be found for M/M/c and G/G/c only");
  }
  check_target(targets.mean_wait, "target of the mean wait");
  check_target(targets.p95_wait, "target of the p95 wait");
  check_target(targets.mean_response, "target of the mean response");
  check_target(targets.p95_response, "target of the p95 response");
  if (targets.p95_response && model != QueueModel::mmc) {
    throw InputError({}, "the p95 of the response is known for M/M/c only",
                     "a target for the wait holds for any service time");
  }
  if (limit < 1) throw InputError("the largest number of servers is below 1");
}

// The first target that the result misses; empty when it meets all.
std::string missed(const QueueResult& result, const WaitTargets& targets) {
  if (!result.stable) return "stability: utilisation " + human_count(result.utilisation) + " is not below 1";
  const auto above = [](const char* what, Seconds is, const std::optional<Seconds>& target) {
    if (!target || is <= *target) return std::string();
    return std::string(what) + " " + human(is) + " is above " + human(*target);
  };
  std::string fault = above("mean wait", result.waiting, targets.mean_wait);
  if (fault.empty()) fault = above("mean response", result.response, targets.mean_response);
  if (fault.empty()) fault = above("p95 wait", result.waiting_quantiles->p95, targets.p95_wait);
  if (fault.empty() && targets.p95_response) {
    fault = above("p95 response", result.response_quantiles->p95, targets.p95_response);
  }
  return fault;
}

}  // namespace

Sizing least_servers(QueueModel model, const Load& load, const WaitTargets& targets, std::int64_t limit) {
  check_question(model, targets, limit);
  const auto with = [&](std::int64_t servers) {
    Load changed = load;
    changed.servers = servers;
    return solve(model, changed);
  };
  const auto fault_with = [&](std::int64_t servers) { return missed(with(servers), targets); };
  const std::string at_limit = fault_with(limit);
  if (!at_limit.empty()) return {with(limit), false, at_limit};
  std::int64_t too_few = 0;
  std::int64_t enough = limit;
  while (enough - too_few > 1) {
    const std::int64_t middle = too_few + (enough - too_few) / 2;
    (fault_with(middle).empty() ? enough : too_few) = middle;
  }
  return {with(enough), true, too_few == 0 ? "" : fault_with(too_few)};
}

}  // namespace sextant::queueing
