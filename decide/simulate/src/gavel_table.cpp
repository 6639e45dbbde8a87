#include "gavel_table.h"

namespace sextant::simulate {

GavelTable::GavelTable(const JobSet& jobs, const GavelTypes& types, bool packs, Seconds round)
    : jobs_(jobs),
      types_(types.size()),
      packs_(packs),
      initial_s_(round.value / 2.0),
      row_of_(jobs.jobs.size(), -1),
      worker_time_(types.size(), 0.0) {
  rate_.reserve(jobs.classes.size() * types_);
  for (const JobClass& cls : jobs.classes) {
    for (const std::size_t p : types.pool) rate_.push_back(cls.rate[p]);
  }
  if (!packs) return;
  for (const auto& [key, pair] : jobs.pairs) {
    std::vector<double>& rates = pair_rate_[key];
    rates.reserve(2 * types_);
    for (const std::size_t p : types.pool) rates.push_back(pair.first_rate[p]);
    for (const std::size_t p : types.pool) rates.push_back(pair.second_rate[p]);
  }
}

double GavelTable::priority(std::size_t row, std::size_t type) const {
  const std::size_t cell = row * types_ + type;
  const double share = share_[cell];
  if (!entitled(row, type)) return 0;
  const double fraction = worker_time_[type] == 0 ? 0.0 : time_[cell] / worker_time_[type];
  return fraction > 0 ? share / fraction : share * 1e9;
}

void GavelTable::append(const GavelRow& row, double time_s) {
  rows_.push_back(row);
  time_.insert(time_.end(), types_, time_s);
  deficit_.insert(deficit_.end(), types_, 0.0);
  share_.insert(share_.end(), types_, 0.0);
}

void GavelTable::admit(std::int32_t job) {
  const SimJob& added = jobs_.jobs[static_cast<std::size_t>(job)];
  const std::size_t before = rows_.size();
  row_of_[static_cast<std::size_t>(job)] = static_cast<std::int32_t>(before);
  ++jobs_active_;
  append(
      {.first = job, .gpus = added.gpus, .first_rate = &rate_[static_cast<std::size_t>(added.cls) * types_]},
      initial_s_);
  if (!packs_) return;
  for (std::size_t r = 0; r < before; ++r) {
    if (rows_[r].is_pair() || rows_[r].gpus != added.gpus) continue;
    const std::int32_t older = rows_[r].first;
    const std::int32_t older_class = jobs_.jobs[static_cast<std::size_t>(older)].cls;
    const auto rates = pair_rate_.find(JobSet::pair_key(older_class, added.cls));
    if (rates == pair_rate_.end()) continue;
    // Gavel counts nothing for a pair before its first allocation, and so books half a round of deficit.
    append({.first = older,
            .second = job,
            .gpus = added.gpus,
            .first_rate = rates->second.data(),
            .second_rate = rates->second.data() + types_},
           0.0);
  }
}

void GavelTable::remove(const std::vector<char>& gone) {
  std::size_t kept = 0;
  jobs_active_ = 0;
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    const GavelRow& row = rows_[r];
    if (gone[static_cast<std::size_t>(row.first)] != 0) continue;
    if (row.is_pair() && gone[static_cast<std::size_t>(row.second)] != 0) continue;
    if (kept != r) {
      if (!row.is_pair()) row_of_[static_cast<std::size_t>(row.first)] = static_cast<std::int32_t>(kept);
      rows_[kept] = row;
      for (std::size_t t = 0; t < types_; ++t) {
        time_[kept * types_ + t] = time_[r * types_ + t];
        deficit_[kept * types_ + t] = deficit_[r * types_ + t];
        share_[kept * types_ + t] = share_[r * types_ + t];
      }
    }
    jobs_active_ += row.is_pair() ? 0 : 1;
    ++kept;
  }
  rows_.resize(kept);
  time_.resize(kept * types_);
  deficit_.resize(kept * types_);
  share_.resize(kept * types_);
}

void GavelTable::reset(double elapsed_s) {
  worker_time_.assign(types_, 0.0);
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    for (std::size_t t = 0; t < types_; ++t) {
      const std::size_t cell = r * types_ + t;
      const double entitled = rows_[r].shared ? share_[cell] * elapsed_s : 0.0;
      deficit_[cell] += entitled - (time_[cell] - initial_s_);
      time_[cell] = initial_s_;
      worker_time_[t] += initial_s_;
      share_[cell] = 0;
    }
    rows_[r].shared = false;
  }
}

}  // namespace sextant::simulate
