#include "queue_method.h"

#include <algorithm>

#include "greedy_build.h"

namespace sextant::capacity {
namespace {

class QueueMethod final : public Method {
 public:
  QueueMethod(JobRank rank, Overtaking overtaking) : rank_(std::move(rank)), overtaking_(overtaking) {}

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
      const std::vector<std::int32_t> options = options_in_order(model, job);
      const bool placed =
          std::ranges::any_of(options, [&](std::int32_t option) { return layout.place_alone(job, option); });
      if (!placed && !options.empty() && overtaking_ == Overtaking::never) break;
    }
    return layout.decision();
  }

 private:
  JobRank rank_;
  Overtaking overtaking_;
};

}  // namespace

std::unique_ptr<Method> make_queue_method(JobRank rank, Overtaking overtaking) {
  return std::make_unique<QueueMethod>(std::move(rank), overtaking);
}

}  // namespace sextant::capacity
