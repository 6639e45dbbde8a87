// Who runs in the round that begins.
#include <algorithm>

#include "rounds_shares.h"

namespace sextant::schedule {

void ShareRounds::fill(const ClusterView& view) {
  wanted_.clear();
  ++fillings_;
  left_.clear();
  for (const TypeView& type : view.types) left_.push_back(type.free);
  for (const Stay& stay : stays_)
    left_[static_cast<std::size_t>(stay.group.type)] +=
        view.jobs[static_cast<std::size_t>(stay.group.first)].gpus;
  if (!aware_) {
    for (std::size_t i = order_.size(); i > 1; --i) std::swap(order_[i - 1], order_[rng_.below(i)]);
  }
  settled_ = aware_;
  for (const std::size_t type : order_) fill_by_share(type);
  if (takes_idle_) fill_idle(view);
}

bool ShareRounds::taken(const RoundRow& row) const {
  return taken_[static_cast<std::size_t>(row.first)] == fillings_ ||
         (row.second >= 0 && taken_[static_cast<std::size_t>(row.second)] == fillings_);
}

void ShareRounds::take(const RoundGroup& group, std::int32_t gpus) {
  taken_[static_cast<std::size_t>(group.first)] = fillings_;
  if (group.second >= 0) taken_[static_cast<std::size_t>(group.second)] = fillings_;
  left_[static_cast<std::size_t>(group.type)] -= gpus;
  wanted_.push_back(group);
}

void ShareRounds::fill_by_share(std::size_t type) {
  entries_.clear();
  std::int64_t demand = 0;
  bool pairs = false;
  const std::vector<RoundRow>& rows = shares_.rows();
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const RoundRow& row = rows[r];
    if (!row.live || !(shares_.share(r, type) > 0) || taken(row) || !row.runs_on(type)) continue;
    demand += row.gpus;
    pairs = pairs || row.second >= 0;
    const auto here = static_cast<std::int32_t>(type);
    entries_.push_back(
        {.priority = shares_.priority(r, type),
         .deficit = shares_.deficit(r, type),
         .share = shares_.share(r, type),
         .sits_here = seats_.type(row.first) == here && seats_.partner(row.first) == row.second,
         .row = r});
  }
  // Order decides nothing where everybody fits.
  if (demand > left_[type] || pairs) {
    settled_ = false;
    std::ranges::sort(entries_, [](const Entry& a, const Entry& b) {
      if (a.priority != b.priority) return a.priority > b.priority;
      if (a.deficit != b.deficit) return a.deficit > b.deficit;
      if (a.share != b.share) return a.share > b.share;
      if (a.sits_here != b.sits_here) return a.sits_here;
      return a.row < b.row;
    });
  }
  for (const Entry& entry : entries_) {
    const RoundRow& row = rows[entry.row];
    if (row.gpus > left_[type] || taken(row)) continue;
    take({.first = row.first, .second = row.second, .type = static_cast<std::int32_t>(type)}, row.gpus);
  }
}

// GPUs that nobody is entitled to: to those that sit there already, then to the oldest that wait; who sits on
// a slow type then moves to a faster one that is still left.
void ShareRounds::fill_idle(const ClusterView& view) {
  sitters_.clear();
  for (const JobSlot slot : active_) {
    const std::int32_t type = seats_.type(slot);
    const bool waits = taken_[static_cast<std::size_t>(slot)] != fillings_;
    const std::int32_t gpus = view.jobs[static_cast<std::size_t>(slot)].gpus;
    if (!waits || type < 0 || gpus > left_[static_cast<std::size_t>(type)]) continue;
    sitters_.push_back(wanted_.size());
    take({.first = slot, .second = -1, .type = type}, gpus);
  }
  for (const JobSlot slot : active_) {
    if (taken_[static_cast<std::size_t>(slot)] == fillings_) continue;
    const JobView& job = view.jobs[static_cast<std::size_t>(slot)];
    const std::int32_t best = fastest_left(job, -1);
    if (best >= 0) take({.first = slot, .second = -1, .type = best}, job.gpus);
  }
  for (const std::size_t sitter : sitters_) {
    RoundGroup& group = wanted_[sitter];
    const JobView& job = view.jobs[static_cast<std::size_t>(group.first)];
    const std::int32_t best = fastest_left(job, group.type);
    if (best == group.type) continue;
    left_[static_cast<std::size_t>(group.type)] += job.gpus;
    left_[static_cast<std::size_t>(best)] -= job.gpus;
    group.type = best;
  }
}

// `type` unless a faster one has enough GPUs left.
std::int32_t ShareRounds::fastest_left(const JobView& job, std::int32_t type) const {
  for (const std::size_t t : order_) {
    if (left_[t] < job.gpus || !(job.rate[t] > 0)) continue;
    if (type < 0 || job.rate[t] > job.rate[type]) type = static_cast<std::int32_t>(t);
  }
  return type;
}

}  // namespace sextant::schedule
