#include "outlook_choice.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>

namespace sextant::capacity {
namespace {

constexpr double kTie = 1e-7;       // of values, relative
constexpr int kEventRounds = 6;     // until the next event is settled
constexpr double kForesight = 0.1;  // of the mean time that is left: how far a reduction looks ahead
constexpr int kMostRounds = 200;    // of reductions; each frees a GPU at least

std::int32_t best_option(const CostModel& model, const Outlook& outlook, std::int32_t job, double until) {
  std::int32_t best = kNone;
  double least = std::numeric_limits<double>::infinity();
  const std::vector<OptionCost>& options = model.options(job);
  for (std::int32_t index = 0; static_cast<std::size_t>(index) < options.size(); ++index) {
    const double value = outlook.value(job, index, until);
    const double tie = kTie * (1 + std::abs(value));
    // Slow first: what is as good with few GPUs leaves the others for whoever comes.
    const bool fewer = best != kNone && value < least + tie &&
                       options[static_cast<std::size_t>(index)].gpus < model.option(job, best).gpus;
    if (best == kNone || value < least - tie || fewer) {
      least = std::min(least, value);
      best = index;
    }
  }
  return best;
}

// Takes GPUs away, the least regretted first.
class Reducer {
 public:
  Reducer(const CostModel& model, const Outlook& outlook, const Fleet& fleet)
      : outlook_(&outlook), fleet_(&fleet), chosen_(static_cast<std::size_t>(fleet.jobs()), kNone) {
    double sum = 0;
    for (std::int32_t job = 0; job < fleet.jobs(); ++job) {
      if (model.options(job).empty()) continue;
      sum += outlook.longest(job);
      choose(job, fleet.until());
    }
    foresight_ = std::max(fleet.until(), kForesight * sum / std::max(1, fleet.jobs()));
  }

  [[nodiscard]] const Plan* plan(std::int32_t job) const {
    const std::int32_t index = chosen_[static_cast<std::size_t>(job)];
    return index == kNone ? nullptr : &fleet_->plans(job)[static_cast<std::size_t>(index)];
  }

  // Frees at least so many GPUs; false: there is nothing left to take.
  bool reduce(std::int32_t gpus) {
    if (steps_.empty()) prepare();
    while (gpus > 0) {
      std::int32_t least = kNone;
      for (std::int32_t job = 0; job < fleet_->jobs(); ++job) {
        if (chosen_[static_cast<std::size_t>(job)] == kNone) continue;
        if (least == kNone || step(job).loss < step(least).loss) least = job;
      }
      if (least == kNone) return false;
      const std::int32_t before = plan(least)->gpus;
      chosen_[static_cast<std::size_t>(least)] = step(least).to;
      gpus -= before - (plan(least) == nullptr ? 0 : plan(least)->gpus);
      find_step(least);
    }
    return true;
  }

 private:
  struct Step {
    double loss = 0;          // USD for each GPU that it frees
    std::int32_t to = kNone;  // in plans; kNone: wait
  };
  Step& step(std::int32_t job) { return steps_[static_cast<std::size_t>(job)]; }

  void choose(std::int32_t job, double until) {
    const std::vector<Plan>& plans = fleet_->plans(job);
    double least = std::numeric_limits<double>::infinity();
    std::int32_t best = kNone;
    for (std::int32_t i = 0; static_cast<std::size_t>(i) < plans.size(); ++i) {
      const Plan& plan = plans[static_cast<std::size_t>(i)];
      const double value = outlook_->value(job, plan.option, until);
      const double tie = kTie * (1 + std::abs(value));
      const bool fewer =
          best != kNone && value < least + tie && plan.gpus < plans[static_cast<std::size_t>(best)].gpus;
      if (best == kNone || value < least - tie || fewer) {
        least = std::min(least, value);
        best = i;
      }
    }
    chosen_[static_cast<std::size_t>(job)] = best;
  }

  void prepare() {
    steps_.resize(chosen_.size());
    for (std::int32_t job = 0; job < fleet_->jobs(); ++job) {
      if (chosen_[static_cast<std::size_t>(job)] != kNone) find_step(job);
    }
  }

  void find_step(std::int32_t job) {
    const Plan* now = plan(job);
    if (now == nullptr) return;
    const double value = outlook_->value(job, now->option, foresight_);
    step(job) = {.loss = (outlook_->after_waiting(job, foresight_) - value) / now->gpus};
    const std::vector<Plan>& plans = fleet_->plans(job);
    for (std::int32_t i = 0; static_cast<std::size_t>(i) < plans.size(); ++i) {
      const Plan& other = plans[static_cast<std::size_t>(i)];
      if (other.gpus >= now->gpus) continue;
      const double loss = (outlook_->value(job, other.option, foresight_) - value) / (now->gpus - other.gpus);
      if (loss < step(job).loss) step(job) = {.loss = loss, .to = i};
    }
  }

  const Outlook* outlook_;
  const Fleet* fleet_;
  std::vector<std::int32_t> chosen_;  // by job: in its plans
  std::vector<Step> steps_;
  double foresight_ = 0;
};

// GPUs that found no place.
std::int32_t pack(Fleet& fleet, const Reducer& reducer, const CostModel& model) {
  fleet.clear();
  std::vector<std::int32_t> order(static_cast<std::size_t>(fleet.jobs()));
  std::iota(order.begin(), order.end(), 0);
  const auto rank = [&](std::int32_t job) {
    const Plan* plan = reducer.plan(job);
    if (plan == nullptr) return std::tuple(3, 0);
    const JobState& state = model.snapshot().jobs[static_cast<std::size_t>(job)];
    if (!state.nodes.empty()) return std::tuple(0, -plan->gpus);  // few places to go
    // Who would lose a restart keeps its place, before others take it.
    const bool stays = model.restart(job) > 0 && state.running == plan->option;
    return std::tuple(stays ? 1 : 2, -plan->gpus);
  };
  std::ranges::stable_sort(order, {}, rank);
  std::int32_t homeless = 0;
  for (const std::int32_t job : order) {
    const Plan* plan = reducer.plan(job);
    if (plan != nullptr && !fleet.place(job, *plan)) homeless += plan->gpus;
  }
  return homeless;
}

}  // namespace

double next_event(const CostModel& model, const Outlook& outlook) {
  const std::int32_t jobs = static_cast<std::int32_t>(model.snapshot().jobs.size());
  const double period = model.snapshot().wishes.period.value;
  double until = 0;
  for (std::int32_t job = 0; job < jobs; ++job) {
    if (!model.options(job).empty() && (until == 0 || outlook.shortest(job) < until)) {
      until = outlook.shortest(job);
    }
  }
  until = std::min(until, period);
  for (int round = 0; round < kEventRounds && until > 0; ++round) {
    double first = period;
    for (std::int32_t job = 0; job < jobs; ++job) {
      const std::int32_t option = best_option(model, outlook, job, until);
      if (option != kNone) first = std::min(first, model.option(job, option).time);
    }
    if (std::abs(first - until) <= kTie * until) break;
    until = first;
  }
  return until;
}

void choose_plans(const CostModel& model, const Outlook& outlook, Fleet& fleet) {
  Reducer reducer(model, outlook, fleet);
  std::int32_t homeless = pack(fleet, reducer, model);
  for (int round = 0; round < kMostRounds && homeless > 0; ++round) {
    if (!reducer.reduce(homeless)) break;
    homeless = pack(fleet, reducer, model);
  }
}

}  // namespace sextant::capacity
