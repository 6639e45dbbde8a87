#include "round_shares.h"

#include <stdexcept>
#include <utility>

namespace sextant::schedule {
namespace {

std::uint64_t row_key(JobSlot first, JobSlot second) {
  return (static_cast<std::uint64_t>(static_cast<std::uint32_t>(first)) << 32) |
         static_cast<std::uint32_t>(second);
}

}  // namespace

RoundShares::RoundShares(std::unique_ptr<SharePolicy> policy, bool packs, const RoundOptions& options)
    : policy_(std::move(policy)),
      pairs_(packs ? options.pairs : nullptr),
      initial_s_(options.round.value / 2) {}

double RoundShares::priority(std::size_t row, std::size_t type) const {
  const std::size_t cell = row * types_ + type;
  const double owed = answer_.owed.empty() ? 1 : answer_.owed[row];
  return owed * share_[cell] / (time_[cell] / type_time_[type]);
}

std::size_t RoundShares::row_of(JobSlot job) const {
  return row_of_pair(job, -1);
}

std::size_t RoundShares::row_of_pair(JobSlot first, JobSlot second) const {
  const auto it = index_.find(row_key(first, second));
  return it == index_.end() ? rows_.size() : it->second;
}

void RoundShares::receive(std::size_t row, std::size_t type, double seconds) {
  if (row >= rows_.size()) return;
  time_[row * types_ + type] += seconds;
  type_time_[type] += seconds * rows_[row].gpus;
}

void RoundShares::leave(JobSlot job) {
  for (RoundRow& row : rows_) {
    if (!row.live || (row.first != job && row.second != job)) continue;
    row.live = false;
    index_.erase(row_key(row.first, row.second));
  }
}

bool RoundShares::other_cluster(const ClusterView& view) const {
  if (problem_.gpus.size() != view.types.size()) return true;
  for (std::size_t t = 0; t < view.types.size(); ++t) {
    if (problem_.gpus[t] != static_cast<double>(view.types[t].gpus)) return true;
  }
  return false;
}

void RoundShares::allocate(const ClusterView& view, const std::vector<JobSlot>& active) {
  book_deficits();
  types_ = view.types.size();
  pose(view, active);
  if (pairs_ != nullptr) add_pairs(view, active);
  policy_->allocate(problem_, answer_);
  const bool owed_fits = answer_.owed.empty() || answer_.owed.size() == rows_.size();
  if (answer_.types != types_ || answer_.values.size() != rows_.size() * types_ || !owed_fits)
    throw std::logic_error("the policy gave shares of another shape than it was asked for");
  share_ = answer_.values;
  reset_times();
}

void RoundShares::book_deficits() {
  carried_.clear();
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    if (!rows_[r].live) continue;
    std::vector<double>& deficits = carried_[row_key(rows_[r].first, rows_[r].second)];
    for (std::size_t t = 0; t < types_; ++t) {
      const std::size_t cell = r * types_ + t;
      deficits.push_back(deficit_[cell] + share_[cell] * elapsed_s_ - (time_[cell] - initial_s_));
    }
  }
  elapsed_s_ = 0;
}

void RoundShares::pose(const ClusterView& view, const std::vector<JobSlot>& active) {
  problem_.now_s = view.now_s;
  problem_.types.clear();
  problem_.gpus.clear();
  problem_.price_usd_h.clear();
  for (const TypeView& type : view.types) {
    problem_.types.push_back(type.name);
    problem_.gpus.push_back(static_cast<double>(type.gpus));
    problem_.price_usd_h.push_back(type.price_usd_h);
  }
  problem_.jobs.clear();
  problem_.pairs.clear();
  rows_.clear();
  for (const JobSlot slot : active) {
    const JobView& job = view.jobs[static_cast<std::size_t>(slot)];
    problem_.jobs.push_back({.slot = slot,
                             .id = job.id,
                             .gpus = job.gpus,
                             .weight = job.weight,
                             .arrival_s = job.arrival_s,
                             .remaining = job.remaining_at(view.now_s),
                             .work = job.work,
                             .deadline_s = job.deadline_s,
                             .rate = job.rate});
    rows_.push_back({.first = slot, .gpus = job.gpus, .first_rate = job.rate});
  }
}

void RoundShares::add_pairs(const ClusterView& view, const std::vector<JobSlot>& active) {
  for (std::size_t b = 1; b < active.size(); ++b) {
    const JobView& second = view.jobs[static_cast<std::size_t>(active[b])];
    for (std::size_t a = 0; a < b; ++a) {
      const JobView& first = view.jobs[static_cast<std::size_t>(active[a])];
      if (first.gpus != second.gpus) continue;
      const PairRates rates = pairs_->together(first.kind, second.kind);
      if (rates.first == nullptr || rates.second == nullptr) continue;
      problem_.pairs.push_back(
          {.first = a, .second = b, .first_rate = rates.first, .second_rate = rates.second});
      rows_.push_back({.first = active[a],
                       .second = active[b],
                       .gpus = first.gpus,
                       .first_rate = rates.first,
                       .second_rate = rates.second});
    }
  }
}

void RoundShares::reset_times() {
  time_.assign(rows_.size() * types_, initial_s_);
  deficit_.assign(rows_.size() * types_, 0.0);
  type_time_.assign(types_, 0.0);
  index_.clear();
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    const std::uint64_t key = row_key(rows_[r].first, rows_[r].second);
    index_.emplace(key, r);
    const auto carried = carried_.find(key);
    for (std::size_t t = 0; t < types_; ++t) {
      if (carried != carried_.end() && t < carried->second.size())
        deficit_[r * types_ + t] = carried->second[t];
      type_time_[t] += initial_s_ * rows_[r].gpus;
    }
  }
}

}  // namespace sextant::schedule
