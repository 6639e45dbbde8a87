#include "gavel_shares.h"

#include <algorithm>

namespace sextant::simulate {
namespace {

constexpr double kSameInstant = 1e-3;  // s; recorded times were printed

}  // namespace

GavelShares::GavelShares(const JobSet& jobs, const clusters::Cluster& cluster, const GavelTypes& types,
                         const GavelOptions& options)
    : jobs_(jobs), types_(types), recorded_(options.replay), index_of_job_(jobs.jobs.size(), 0) {
  if (recorded_ != nullptr) return;
  policy_ = options.policy.policy->share({.parameters = options.policy.parameters, .seed = options.seed});
  problem_.types = types.names;
  for (const std::size_t p : types.pool) {
    problem_.gpus.push_back(static_cast<double>(cluster.pools[p].gpus));
    problem_.price_usd_h.push_back(cluster.pools[p].hour_price.value);
  }
}

void GavelShares::allocate(GavelTable& table, double now_s, const std::vector<double>& remaining) {
  if (recorded_ != nullptr)
    replay(table, now_s);
  else
    ask(table, now_s, remaining);
}

void GavelShares::ask(GavelTable& table, double now_s, const std::vector<double>& remaining) {
  problem_.now_s = now_s;
  problem_.jobs.clear();
  problem_.pairs.clear();
  row_of_share_.clear();
  const std::vector<GavelRow>& rows = table.rows();
  for (std::size_t r = 0; r < rows.size(); ++r) {
    if (rows[r].is_pair()) continue;
    const auto j = static_cast<std::size_t>(rows[r].first);
    const SimJob& job = jobs_.jobs[j];
    index_of_job_[j] = problem_.jobs.size();
    row_of_share_.push_back(r);
    problem_.jobs.push_back({.slot = rows[r].first,
                             .id = rows[r].first,
                             .gpus = job.gpus,
                             .weight = job.weight,
                             .arrival_s = job.arrival.value,
                             .remaining = remaining[j],
                             .work = job.work,
                             .deadline_s = job.deadline.value,
                             .rate = rows[r].first_rate});
  }
  for (std::size_t r = 0; r < rows.size(); ++r) {
    if (!rows[r].is_pair()) continue;
    row_of_share_.push_back(r);
    problem_.pairs.push_back({.first = index_of_job_[static_cast<std::size_t>(rows[r].first)],
                              .second = index_of_job_[static_cast<std::size_t>(rows[r].second)],
                              .first_rate = rows[r].first_rate,
                              .second_rate = rows[r].second_rate});
  }
  policy_->allocate(problem_, shares_);
  for (std::size_t i = 0; i < row_of_share_.size(); ++i) {
    const std::size_t row = row_of_share_[i];
    table.rows()[row].shared = true;
    for (std::size_t t = 0; t < types_.size(); ++t) table.share(row, t) = shares_.at(i, t);
  }
}

// The last record that is not later: where a run has left the recorded one, its shares are a little old.
void GavelShares::replay(GavelTable& table, double now_s) {
  while (next_record_ < recorded_->size() && (*recorded_)[next_record_].time.value <= now_s + kSameInstant)
    ++next_record_;
  if (next_record_ == 0) return;
  const auto source = [&](std::int32_t job) {
    return job < 0 ? -1 : jobs_.jobs[static_cast<std::size_t>(job)].source;
  };
  row_of_source_.clear();
  for (std::size_t r = 0; r < table.rows().size(); ++r) {
    GavelRow& row = table.rows()[r];
    row.shared = true;  // rows of zeros are not recorded
    row_of_source_.emplace(JobSet::pair_key(source(row.first), source(row.second)), r);
  }
  for (const RecordedShare& share : (*recorded_)[next_record_ - 1].shares) {
    const auto row = row_of_source_.find(JobSet::pair_key(share.first, share.second));
    if (row == row_of_source_.end()) continue;
    for (std::size_t t = 0; t < types_.size(); ++t) table.share(row->second, t) = share.share[types_.pool[t]];
  }
}

}  // namespace sextant::simulate
