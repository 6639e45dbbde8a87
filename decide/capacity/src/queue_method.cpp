#include "queue_method.h"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "layout.h"

namespace sextant::capacity {
namespace {

// Those that keep the due date by their price, then the others by their time.
std::vector<std::int32_t> options_in_order(const CostModel& model, std::int32_t job) {
  const std::vector<OptionCost>& options = model.options(job);
  std::vector<std::int32_t> order(options.size());
  std::iota(order.begin(), order.end(), 0);
  const auto rank = [&](std::int32_t index) {
    const OptionCost& option = options[static_cast<std::size_t>(index)];
    const bool late = option.due_time > model.slack(job);
    const double price = model.rate(option.type, option.gpus) * option.nodes * option.time;
    return late ? std::tuple(1, option.time, price) : std::tuple(0, price, option.time);
  };
  std::ranges::stable_sort(order, {}, rank);
  return order;
}

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
        if (layout.place(job, option)) break;
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
