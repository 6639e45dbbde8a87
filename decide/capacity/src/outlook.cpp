#include "outlook.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "sextant/stats/distributions.h"

namespace sextant::capacity {
namespace {

// Machines that are owned cost nothing more; their time is worth something all the same, else nothing would
// say that a job should take few of them.
constexpr double kOwnedPrice = 1e-6;  // USD/s of a GPU

// Of a promise, in prices of GPUs: more than any number of them can be worth.
constexpr double kPromise = 1e4;

// Gauss-Hermite, five points: means of smooth functions of a standard normal.
struct NormalPoint {
  double z;
  double weight;
};
constexpr std::array kNormalPoints = {
    NormalPoint{0, 0.5333333333333333}, NormalPoint{1.3556261799742659, 0.2220759220056126},
    NormalPoint{-1.3556261799742659, 0.2220759220056126}, NormalPoint{2.8569700138728056, 0.0112574113277207},
    NormalPoint{-2.8569700138728056, 0.0112574113277207}};

}  // namespace

Outlook::Outlook(const CostModel& model, const Caution& caution)
    : model_(&model), hesitation_(caution.hesitation) {
  const Snapshot& snapshot = model.snapshot();
  double dearest = kOwnedPrice;
  for (std::int32_t type = 0; at(type) < snapshot.types.size(); ++type) {
    const std::int32_t gpus = snapshot.types[at(type)].gpus;
    gpu_price_.push_back(std::max(kOwnedPrice, model.rate(type, gpus) / gpus));
    dearest = std::max(dearest, gpu_price_.back());
  }
  for (std::int32_t job = 0; at(job) < snapshot.jobs.size(); ++job) {
    const bool keep = snapshot.jobs[at(job)].promised || snapshot.wishes.admission;
    weight_.push_back(keep ? std::max(model.weight(job), kPromise * dearest) : model.weight(job));
    hulls_.push_back(hull(job));
    add_lengths(job);
  }
  add_margins(caution.margin);
}

void Outlook::add_margins(double margin) {
  for (std::int32_t job = 0; at(job) < hulls_.size(); ++job) {
    const bool none = hulls_[at(job)].empty() || std::isinf(model_->slack(job));
    margin_.push_back(none ? 0 : margin * std::max(0.0, model_->slack(job) - shortest(job)));
  }
}

void Outlook::add_lengths(std::int32_t job) {
  double spread = 0;
  for (const OptionCost& option : model_->options(job)) spread = std::max(spread, option.spread);
  std::vector<Length> lengths;
  if (spread > 0) {
    for (const NormalPoint& point : kNormalPoints) {
      lengths.push_back({.factor = std::exp(spread * point.z), .weight = point.weight});
    }
  }
  lengths_.push_back(std::move(lengths));
  const double risk = std::clamp(model_->snapshot().wishes.risk, 1e-9, 1 - 1e-9);
  at_risk_.push_back(std::exp(spread * stats::upper_quantile(stats::Normal{}, risk)));
}

// What is to be expected, or what it costs at the quantile of the risk, if that is more.
template <class Cost>
double Outlook::over_lengths(std::int32_t job, const Cost& cost) const {
  if (lengths_[at(job)].empty()) return cost(1.0);
  double mean = 0;
  for (const Length& length : lengths_[at(job)]) mean += length.weight * cost(length.factor);
  return at_risk_[at(job)] <= 1 ? mean : std::max(mean, cost(at_risk_[at(job)]));
}

std::vector<Outlook::Point> Outlook::hull(std::int32_t job) const {
  std::vector<Point> points;
  for (const OptionCost& option : model_->options(job)) {
    points.push_back({option.time, option.time * option.gpus * gpu_price_[at(option.type)]});
  }
  std::ranges::sort(points, [](const Point& a, const Point& b) {
    return a.time != b.time ? a.time < b.time : a.cost < b.cost;
  });
  std::vector<Point> hull;
  for (const Point& point : points) {
    if (!hull.empty() && point.cost >= hull.back().cost) continue;
    while (hull.size() >= 2) {
      const Point& a = hull[hull.size() - 2];
      const Point& b = hull.back();
      if ((b.cost - a.cost) * (point.time - a.time) < (point.cost - a.cost) * (b.time - a.time)) break;
      hull.pop_back();
    }
    hull.push_back(point);
  }
  // A second that costs more than a second of tardiness is not worth having.
  std::size_t first = 0;
  while (first + 1 < hull.size() && hull[first].cost - hull[first + 1].cost >
                                        weight_[at(job)] * (hull[first + 1].time - hull[first].time)) {
    ++first;
  }
  hull.erase(hull.begin(), hull.begin() + static_cast<std::ptrdiff_t>(first));
  return hull;
}

double Outlook::rest(std::int32_t job, double part, double slack, double owed) const {
  const std::vector<Point>& hull = hulls_[at(job)];
  if (hull.empty()) return 0;
  const auto alone = [&](const Point& point) {
    const double late = std::max(0.0, part * point.time + owed - slack);
    return part * point.cost + owed * point.rate() + weight_[at(job)] * late;
  };
  const double left = slack - owed;
  if (left >= part * hull.back().time) return alone(hull.back());
  if (left <= part * hull.front().time) return alone(hull.front());
  std::size_t next = 1;
  while (left > part * hull[next].time) ++next;
  const Point& fast = hull[next - 1];
  const Point& slow = hull[next];
  // Who changes from one to the other restarts.
  const double restart = model_->snapshot().jobs[at(job)].restart.value;
  const double share = std::max(0.0, (left - restart - part * fast.time) / (part * (slow.time - fast.time)));
  const double mixed =
      part * (fast.cost + share * (slow.cost - fast.cost)) + owed * fast.rate() + restart * slow.rate();
  return restart == 0 ? mixed : std::min({mixed, alone(fast), alone(slow)});
}

// A job that is `factor` times as long as its median, and goes on with the option after it or changes.
double Outlook::after_stint(const Stint& stint, double factor) const {
  const auto& [job, option, lost, until] = stint;
  const OptionCost& cost = model_->option(job, option);
  const double price = gpu_price_[at(cost.type)] * cost.gpus;
  const double left = lost + factor * cost.time - until;  // s, if it goes on
  const double late = std::max(0.0, until + left - model_->slack(job));
  if (left <= 0) return weight_[at(job)] * late + price * left;
  const double part = factor - std::max(0.0, until - lost) / cost.time;
  const double slack = model_->slack(job) - margin_[at(job)] - std::max(until, lost);
  const double restart = model_->snapshot().jobs[at(job)].restart.value;
  const double changed = rest(job, part, slack, restart);
  if (restart == 0) return changed;
  return std::min(changed, weight_[at(job)] * late + price * left);
}

double Outlook::after(std::int32_t job, std::int32_t option, bool moved, double until) const {
  const Stint stint{.job = job, .option = option, .lost = moved ? model_->restart(job) : 0, .until = until};
  const OptionCost& cost = model_->option(job, option);
  const double hesitation = hesitation_ * stint.lost * gpu_price_[at(cost.type)] * cost.gpus;
  return hesitation + over_lengths(job, [&](double factor) { return after_stint(stint, factor); });
}

double Outlook::after_waiting(std::int32_t job, double until) const {
  const double slack = model_->slack(job) - margin_[at(job)] - until;
  return over_lengths(job, [&](double factor) { return rest(job, factor, slack, model_->restart(job)); });
}

double Outlook::value(std::int32_t job, std::int32_t option, double until) const {
  const OptionCost& cost = model_->option(job, option);
  const bool moved = model_->snapshot().jobs[at(job)].running != option;
  return gpu_price_[at(cost.type)] * cost.gpus * until + after(job, option, moved, until);
}

}  // namespace sextant::capacity
