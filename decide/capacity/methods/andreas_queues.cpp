// FIFO, EDF and priority as the simulator of ANDREAS has them (Filippini et al., TSC 2023: the
// first-principle methods), for comparisons with its published costs. They differ from the methods of the
// same names without "andreas" in that a job has a node for itself, whatever GPUs it leaves idle, and in that
// nobody overtakes: the next job takes the next free node. Equal configurations: the cheaper machine.
#include <algorithm>
#include <numeric>
#include <tuple>

#include "layout.h"
#include "sextant/capacity/method.h"

namespace sextant::capacity::planning_method_andreas_queues {
namespace {

using Rank = double (*)(const JobState&);

class OwnNodeQueue final : public Method {
 public:
  explicit OwnNodeQueue(Rank rank) : rank_(rank) {}

  Decision decide(const Snapshot& snapshot) override {
    const CostModel model(snapshot);
    Layout layout(model);
    std::vector<std::int32_t> waiting;
    for (std::int32_t job = 0; job < layout.jobs(); ++job) {
      const std::int32_t running = snapshot.jobs[static_cast<std::size_t>(job)].running;
      if (running == kNone || !layout.place(job, running)) waiting.push_back(job);
    }
    std::ranges::stable_sort(
        waiting, {}, [&](std::int32_t job) { return rank_(snapshot.jobs[static_cast<std::size_t>(job)]); });
    for (const std::int32_t job : waiting) {
      const bool fits_somewhere = !model.options(job).empty();
      if (fits_somewhere && !place_alone(layout, job)) break;
    }
    return layout.decision();
  }

 private:
  // The cheapest that keeps the due date, else the fastest; the whole machine is paid.
  static std::vector<std::int32_t> best_first(const CostModel& model, std::int32_t job) {
    const std::vector<OptionCost>& options = model.options(job);
    std::vector<std::int32_t> order(options.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, {}, [&](std::int32_t index) {
      const OptionCost& option = options[static_cast<std::size_t>(index)];
      const double price = model.rate(option.type, option.gpus) * option.nodes * option.time;
      const bool late = option.due_time > model.slack(job);
      return late ? std::tuple(1, option.time, price) : std::tuple(0, price, option.time);
    });
    return order;
  }

  static bool place_alone(Layout& layout, std::int32_t job) {
    for (const std::int32_t option : best_first(layout.model(), job)) {
      if (layout.model().option(job, option).nodes > 1) {
        if (layout.place(job, option)) return true;
        continue;
      }
      for (std::int32_t node = 0; node < layout.nodes(); ++node) {
        if (layout.used_of(node) == 0 && layout.place_on(job, option, node)) return true;
      }
    }
    return false;
  }

  Rank rank_;
};

template <Rank rank>
MethodInfo queue(const char* id, const char* summary) {
  return {{.id = id,
           .summary = summary,
           .reference = "Filippini et al., Path Relinking, TSC 2023; the rules of its simulator"},
          {},
          [](const MethodSetup&) -> std::unique_ptr<Method> { return std::make_unique<OwnNodeQueue>(rank); }};
}

double by_submission(const JobState& job) {
  return job.submit.value;
}
double by_due_date(const JobState& job) {
  return job.due.value;
}
double by_weight(const JobState& job) {
  return -job.tardiness.value;
}

}  // namespace

std::vector<MethodInfo> plugin() {
  return {queue<by_submission>("andreas-fifo", "by time of submission, a node for each job"),
          queue<by_due_date>("andreas-edf", "by due date, a node for each job"),
          queue<by_weight>("andreas-priority", "by what lateness costs, a node for each job")};
}

}  // namespace sextant::capacity::planning_method_andreas_queues
