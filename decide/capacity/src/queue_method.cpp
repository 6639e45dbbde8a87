#include "queue_method.h"

#include <algorithm>

#include "greedy_build.h"

namespace sextant::capacity {
namespace {

class QueueMethod final : public Method {
 public:
  explicit QueueMethod(JobRank rank) : rank_(std::move(rank)) {}

  Decision decide(const Snapshot& snapshot) override {
    const CostModel model(snapshot);
    Layout layout(model);
    std::vector<std::int32_t> waiting;
    for (std::int32_t job = 0; job < layout.jobs(); ++job) {
      const std::int32_t running = snapshot.jobs[static_cast<std::size_t>(job)].running;
      if (running == kNone || !layout.place(job, running)) waiting.push_back(job);
    }
    std::ranges::stable_sort(waiting, {}, [&](std::int32_t job) { return rank_(model, job); });
    for (const std::int32_t job : waiting) {
      for (const std::int32_t option : options_in_order(model, job)) {
        if (layout.place_alone(job, option)) break;
      }
    }
    return layout.decision();
  }

 private:
  JobRank rank_;
};

}  // namespace

std::unique_ptr<Method> make_queue_method(JobRank rank) {
  return std::make_unique<QueueMethod>(std::move(rank));
}

}  // namespace sextant::capacity
