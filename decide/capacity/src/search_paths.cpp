#include <algorithm>
#include <limits>

#include "search.h"

namespace sextant::capacity {
namespace {

constexpr std::size_t kSteps = 6;  // candidates for a step; of more, the first ones

bool same_place(const Layout& a, const Layout& b, std::int32_t job) {
  return a.option_of(job) == b.option_of(job) && std::ranges::equal(a.shares_of(job), b.shares_of(job));
}

// Puts the job where the guide has it, and whoever is in the way to the side.
bool follow(Layout& layout, const Layout& guide, std::int32_t job) {
  layout.remove(job);
  if (!guide.runs(job)) return true;
  if (guide.shares_of(job).size() > 1) return layout.place(job, guide.option_of(job));
  const std::int32_t node = guide.shares_of(job).front().node;
  const std::int32_t type = guide.type_of(node);
  std::vector<std::int32_t> aside;
  if (layout.type_of(node) != kNone && layout.type_of(node) != type && !layout.retype(node, type)) {
    aside.assign(layout.jobs_of(node).begin(), layout.jobs_of(node).end());
  }
  for (const std::int32_t other : aside) layout.remove(other);
  bool placed = layout.place_on(job, guide.option_of(job), node);
  while (!placed && !layout.jobs_of(node).empty()) {
    // Those go first that the guide has elsewhere.
    std::int32_t goes = layout.jobs_of(node).front();
    for (const std::int32_t other : layout.jobs_of(node)) {
      if (!same_place(layout, guide, other)) goes = other;
    }
    layout.remove(goes);
    aside.push_back(goes);
    placed = layout.place_on(job, guide.option_of(job), node);
  }
  for (const std::int32_t other : aside) {
    if (guide.runs(other)) layout.place(other, guide.option_of(other));
  }
  return placed;
}

}  // namespace

int distance(const Layout& a, const Layout& b) {
  int different = 0;
  for (std::int32_t job = 0; job < a.jobs(); ++job) different += same_place(a, b, job) ? 0 : 1;
  return different;
}

Layout relink(const Layout& source, const Layout& guide) {
  Layout now = source;
  Layout best = source;
  double best_cost = std::numeric_limits<double>::infinity();
  // Jobs that were put aside come up again; each job is set once.
  std::vector<bool> done(static_cast<std::size_t>(source.jobs()), false);
  while (true) {
    std::vector<std::int32_t> open;
    for (std::int32_t job = 0; job < now.jobs() && open.size() < kSteps; ++job) {
      if (!done[static_cast<std::size_t>(job)] && !same_place(now, guide, job)) open.push_back(job);
    }
    if (open.empty()) break;
    std::int32_t taken = kNone;
    Layout next = now;
    double least = std::numeric_limits<double>::infinity();
    for (const std::int32_t job : open) {
      Layout tried = now;
      follow(tried, guide, job);
      if (tried.cost() < least) {
        least = tried.cost();
        next = std::move(tried);
        taken = job;
      }
    }
    now = std::move(next);
    done[static_cast<std::size_t>(taken)] = true;
    if (now.cost() < best_cost) {
      best_cost = now.cost();
      best = now;
    }
  }
  return best;
}

void Elite::add(const Layout& layout) {
  for (const Layout& other : layouts_) {
    if (distance(other, layout) == 0) return;
  }
  if (layouts_.size() == most_ && layout.cost() >= layouts_.back().cost()) return;
  const auto place = std::ranges::upper_bound(layouts_, layout.cost(), {}, &Layout::cost);
  layouts_.insert(place, layout);
  if (layouts_.size() > most_) layouts_.pop_back();
}

}  // namespace sextant::capacity
