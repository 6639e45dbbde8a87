#include "explanation.h"

#include <algorithm>
#include <mutex>

#include "sextant/http/route.h"

namespace sextant::daemon {
namespace {

// Nothing where the method has to be asked.
std::optional<ask::WaitingReason> known_reason(const Books& books, const DaemonJob& job, const View& view) {
  if (job.phase != Phase::waiting) return ask::WaitingReason{.reason = job.reason, .remedy = ""};
  if (books.nodes.empty()) return ask::WaitingReason{.reason = "there are no nodes", .remedy = "nodes"};
  if (std::ranges::all_of(books.nodes, &DaemonNode::down))
    return ask::WaitingReason{.reason = "all nodes are down", .remedy = "nodes that are not"};
  if (std::ranges::find(view.jobs, job.order.id) == view.jobs.end()) {
    return ask::WaitingReason{
        .reason = std::to_string(kMostSeen) + " jobs that wait must start sooner, and no more are looked at",
        .remedy = "an earlier due date or a higher priority"};
  }
  return {};
}

}  // namespace

WaitingQuestion waiting_question(const Books& books, const DaemonJob& job, const capacity::Wishes& wishes,
                                 Seconds now) {
  View view = view_of(books, wishes, now);
  WaitingQuestion question{.job = job.order.id, .phase = job.phase, .known = known_reason(books, job, view)};
  if (question.known) return question;
  const auto place = std::ranges::find(view.jobs, job.order.id) - view.jobs.begin();
  question.place = static_cast<std::int32_t>(place);
  question.snapshot = std::move(view.snapshot);
  return question;
}

ask::WaitingReason explained(const WaitingQuestion& question, const capacity::MethodChoice& method,
                             std::uint64_t seed) {
  if (question.known) return *question.known;
  static std::mutex one;
  const std::unique_lock alone(one, std::try_to_lock);
  if (!alone) throw http::Refusal(503, "another job is being explained", "", "try again in a moment");
  const ask::MethodMaker make = [&] { return method.method->make({method.parameters, seed}); };
  const capacity::Decision decision = make()->decide(question.snapshot);
  return ask::waiting_reason(question.snapshot, decision, make, question.place);
}

}  // namespace sextant::daemon
