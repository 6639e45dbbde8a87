#include "outlook.h"

#include <algorithm>

namespace sextant::capacity {
namespace {

// Machines that are owned cost nothing more; their time is worth something all the same, else nothing would
// say that a job should take few of them.
constexpr double kOwnedPrice = 1e-6;  // USD/s of a GPU

// Of a promise, in prices of GPUs: more than any number of them can be worth.
constexpr double kPromise = 1e4;

}  // namespace

Outlook::Outlook(const CostModel& model) : model_(&model) {
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
  }
}

std::vector<Outlook::Point> Outlook::hull(std::int32_t job) const {
  std::vector<Point> points;
  for (const OptionCost& option : model_->options(job)) {
    points.push_back({option.due_time, option.time * option.gpus * gpu_price_[at(option.type)]});
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

double Outlook::rest(std::int32_t job, double part, double slack) const {
  const std::vector<Point>& hull = hulls_[at(job)];
  if (hull.empty()) return 0;
  if (slack >= part * hull.back().time) return part * hull.back().cost;
  if (slack <= part * hull.front().time) {
    return part * hull.front().cost + weight_[at(job)] * (part * hull.front().time - slack);
  }
  std::size_t next = 1;
  while (slack > part * hull[next].time) ++next;
  const Point& fast = hull[next - 1];
  const Point& slow = hull[next];
  const double share = (slack - part * fast.time) / (part * (slow.time - fast.time));
  return part * (fast.cost + share * (slow.cost - fast.cost));
}

double Outlook::after(std::int32_t job, std::int32_t option, bool moved, double until) const {
  const OptionCost& cost = model_->option(job, option);
  const double lost = moved ? model_->restart(job) : 0;
  if (lost + cost.time <= until) {
    const double late = std::max(0.0, lost + cost.due_time - model_->slack(job));
    return weight_[at(job)] * late - gpu_price_[at(cost.type)] * cost.gpus * (until - lost - cost.time);
  }
  const double part = 1 - std::max(0.0, until - lost) / cost.time;
  return rest(job, part, model_->slack(job) - std::max(until, lost));
}

double Outlook::after_waiting(std::int32_t job, double until) const {
  return rest(job, 1, model_->slack(job) - until - model_->restart(job));
}

double Outlook::value(std::int32_t job, std::int32_t option, double until) const {
  const OptionCost& cost = model_->option(job, option);
  const bool moved = model_->snapshot().jobs[at(job)].running != option;
  return gpu_price_[at(cost.type)] * cost.gpus * until + after(job, option, moved, until);
}

}  // namespace sextant::capacity
