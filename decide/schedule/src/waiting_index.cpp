#include "waiting_index.h"

#include <algorithm>
#include <limits>

#include "sextant/core/infinity.h"

namespace sextant::schedule {
namespace {}  // namespace

void MinTree::grow(std::size_t positions) {
  std::size_t leaves = std::max<std::size_t>(leaves_, 8);
  while (leaves < positions) leaves *= 2;
  std::vector<double> least(2 * leaves, kInfinity);
  for (std::size_t i = 0; i < leaves_; ++i) least[leaves + i] = least_[leaves_ + i];
  for (std::size_t i = leaves - 1; i > 0; --i) least[i] = std::min(least[2 * i], least[2 * i + 1]);
  least_ = std::move(least);
  leaves_ = leaves;
}

void MinTree::set(std::size_t position, double value) {
  if (position >= leaves_) grow(position + 1);
  std::size_t node = leaves_ + position;
  least_[node] = value;
  for (node /= 2; node > 0; node /= 2) {
    const double least = std::min(least_[2 * node], least_[2 * node + 1]);
    if (least_[node] == least) return;
    least_[node] = least;
  }
}

std::size_t MinTree::first_at_most(std::size_t from, double limit) const {
  if (from >= leaves_ || least_[1] > limit) return kNone;
  std::size_t node = leaves_ + from;
  // Up and to the right until a subtree has one, then down to its first.
  while (least_[node] > limit) {
    while (node % 2 == 1) node /= 2;
    if (node == 0) return kNone;
    ++node;
  }
  while (node < leaves_) node = least_[2 * node] <= limit ? 2 * node : 2 * node + 1;
  return node - leaves_;
}

std::size_t WaitingIndex::OneSize::next(std::size_t type, std::int64_t from_id, double limit) const {
  const auto from = static_cast<std::size_t>(std::ranges::lower_bound(ids, from_id) - ids.begin());
  // An estimate that is infinite marks a type that the job cannot use.
  return estimates[type].first_at_most(from, std::min(limit, std::numeric_limits<double>::max()));
}

void WaitingIndex::add(JobSlot slot, const JobView& job, std::span<const double> estimate_s) {
  OneSize& size = sizes_[job.gpus];
  size.estimates.resize(estimate_s.size());
  // Arrivals come in the order of ids; one that comes back after a crash takes its old position.
  const auto found = std::ranges::lower_bound(size.ids, job.id);
  const auto at = static_cast<std::size_t>(found - size.ids.begin());
  if (found == size.ids.end()) {
    size.ids.push_back(job.id);
    size.slots.push_back(slot);
  }
  size.slots[at] = slot;
  for (std::size_t t = 0; t < estimate_s.size(); ++t) size.estimates[t].set(at, estimate_s[t]);
}

void WaitingIndex::remove(const JobView& job) {
  OneSize& size = sizes_[job.gpus];
  const auto at = static_cast<std::size_t>(std::ranges::lower_bound(size.ids, job.id) - size.ids.begin());
  for (MinTree& estimates : size.estimates) estimates.set(at, kInfinity);
}

}  // namespace sextant::schedule
