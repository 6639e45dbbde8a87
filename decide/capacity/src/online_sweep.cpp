#include "sextant/capacity/online_sweep.h"

#include <algorithm>
#include <exception>
#include <mutex>
#include <thread>

namespace sextant::capacity {
namespace {

class OnlineSweep {
 public:
  OnlineSweep(const OnlineSweepPlan& plan, Progress& progress)
      : plan_(plan),
        progress_(progress),
        runs_(plan.workloads.size() * static_cast<std::size_t>(plan.seeds) * plan.methods.size()),
        errors_(runs_.size()) {}

  std::vector<OnlineSweepRun> run() {
    const std::size_t cores = std::max(1U, std::thread::hardware_concurrency());
    const std::size_t wanted = std::min(plan_.threads == 0 ? cores : plan_.threads, runs_.size());
    {
      std::vector<std::jthread> others;
      for (std::size_t i = 1; i < wanted; ++i) others.emplace_back([this] { work(); });
      work();
    }
    for (const std::exception_ptr& error : errors_) {
      if (error) std::rethrow_exception(error);
    }
    return std::move(runs_);
  }

 private:
  void work() {
    while (!stopped()) {
      const std::size_t index = next_.fetch_add(1);
      if (index >= runs_.size()) return;
      try {
        run_one(index);
      } catch (const RunAbandoned&) {
        return;
      } catch (...) {
        errors_[index] = std::current_exception();
        failed_ = true;
      }
      const std::scoped_lock lock(progress_mutex_);
      progress_.step(++done_, static_cast<std::int64_t>(runs_.size()), "runs");
    }
  }

  [[nodiscard]] bool stopped() const {
    return failed_ || (plan_.stop != nullptr && plan_.stop->load(std::memory_order_relaxed)) ||
           (plan_.run.abandon && plan_.run.abandon());
  }

  void run_one(std::size_t index) {
    OnlineSweepRun& run = runs_[index];
    const std::size_t group = index / plan_.methods.size();
    run.method = index % plan_.methods.size();
    run.seed = plan_.first_seed + group % static_cast<std::size_t>(plan_.seeds);
    run.workload = group / static_cast<std::size_t>(plan_.seeds);
    OnlineOptions options = plan_.run;
    options.method = plan_.methods[run.method];
    options.seed = run.seed;
    run.result = run_online(plan_.workloads[run.workload], options);
    run.done = true;
  }

  const OnlineSweepPlan& plan_;
  Progress& progress_;
  std::vector<OnlineSweepRun> runs_;
  std::vector<std::exception_ptr> errors_;
  std::atomic<std::size_t> next_ = 0;
  std::atomic<bool> failed_ = false;
  std::mutex progress_mutex_;
  std::int64_t done_ = 0;
};

}  // namespace

std::vector<OnlineSweepRun> sweep_online(const OnlineSweepPlan& plan, Progress& progress) {
  return OnlineSweep(plan, progress).run();
}

}  // namespace sextant::capacity
