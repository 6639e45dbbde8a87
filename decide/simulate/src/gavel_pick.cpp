#include "gavel_pick.h"

#include <algorithm>
#include <limits>

namespace sextant::simulate {

GavelPicker::GavelPicker(const GavelTypes& types, std::size_t jobs, bool takes_idle)
    : types_(types),
      takes_idle_(takes_idle),
      entitled_(types.size()),
      others_(types.size()),
      round_of_(jobs, 0) {}

void GavelPicker::refresh(const GavelTable& table) {
  const std::vector<GavelRow>& rows = table.rows();
  one_type_each_ = true;
  types_of_.assign(rows.size(), 0);
  for (std::size_t t = 0; t < types_.size(); ++t) {
    entitled_[t].clear();
    others_[t].clear();
    for (std::size_t r = 0; r < rows.size(); ++r) {
      if (table.entitled(r, t)) {
        entitled_[t].push_back(static_cast<std::int32_t>(r));
        one_type_each_ = one_type_each_ && types_of_[r]++ == 0;
      } else if (takes_idle_ && rows[r].runs_on(t)) {
        others_[t].push_back(static_cast<std::int32_t>(r));
      }
    }
  }
}

void GavelPicker::pick(const GavelTable& table, std::span<const std::size_t> type_order,
                       std::vector<GavelPicked>& out) {
  out.clear();
  out_ = &out;
  ++round_;
  jobs_left_ = table.jobs_active();
  settled_ = true;
  for (const std::size_t type : type_order) {
    gpus_left_ = types_.gpus[type];
    pick_from(entitled_[type], table, type);
    pick_from(others_[type], table, type);
  }
}

void GavelPicker::pick_from(const std::vector<std::int32_t>& rows, const GavelTable& table,
                            std::size_t type) {
  if (jobs_left_ == 0 || gpus_left_ == 0) return;
  candidates_.clear();
  std::int64_t demand = 0;
  bool pairs = false;
  for (const std::int32_t r : rows) {
    const GavelRow& row = table.rows()[static_cast<std::size_t>(r)];
    if (taken(row)) continue;
    candidates_.push_back(r);
    demand += row.gpus;
    pairs = pairs || row.is_pair();
  }
  if (demand <= gpus_left_ && !pairs)
    take_all(table, type);
  else
    take_in_order(table, type);
}

bool GavelPicker::taken(const GavelRow& row) const {
  return round_of_[static_cast<std::size_t>(row.first)] == round_ ||
         (row.is_pair() && round_of_[static_cast<std::size_t>(row.second)] == round_);
}

void GavelPicker::take(std::int32_t index, const GavelTable& table, std::size_t type) {
  const GavelRow& row = table.rows()[static_cast<std::size_t>(index)];
  round_of_[static_cast<std::size_t>(row.first)] = round_;
  if (row.is_pair()) round_of_[static_cast<std::size_t>(row.second)] = round_;
  jobs_left_ -= row.is_pair() ? 2 : 1;
  gpus_left_ -= row.gpus;
  out_->push_back({.row = index, .type = static_cast<std::int32_t>(type)});
}

void GavelPicker::take_all(const GavelTable& table, std::size_t type) {
  for (const std::int32_t r : candidates_) take(r, table, type);
}

void GavelPicker::take_in_order(const GavelTable& table, std::size_t type) {
  settled_ = false;
  queue_.clear();
  std::int32_t smallest = std::numeric_limits<std::int32_t>::max();
  for (const std::int32_t r : candidates_) {
    const auto row = static_cast<std::size_t>(r);
    smallest = std::min(smallest, table.rows()[row].gpus);
    queue_.push_back({.priority = table.priority(row, type),
                      .deficit = table.deficit(row, type),
                      .share = table.share(row, type),
                      .row = r});
  }
  const auto after = [](const Candidate& a, const Candidate& b) {
    if (a.priority != b.priority) return a.priority < b.priority;
    if (a.deficit != b.deficit) return a.deficit < b.deficit;
    if (a.share != b.share) return a.share < b.share;
    return a.row > b.row;
  };
  // A heap, because a few of many are needed.
  std::ranges::make_heap(queue_, after);
  while (!queue_.empty() && gpus_left_ >= smallest && jobs_left_ > 0) {
    const std::int32_t r = queue_.front().row;
    std::ranges::pop_heap(queue_, after);
    queue_.pop_back();
    const GavelRow& row = table.rows()[static_cast<std::size_t>(r)];
    if (row.gpus <= gpus_left_ && !taken(row)) take(r, table, type);
  }
}

}  // namespace sextant::simulate
