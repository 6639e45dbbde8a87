#include "gavel_pick.h"

#include <algorithm>
#include <limits>

namespace sextant {

GavelPicker::GavelPicker(const GavelTypes& types, std::size_t jobs, bool takes_idle)
    : types_(types), takes_idle_(takes_idle), round_of_(jobs, 0) {}

bool GavelPicker::taken(const GavelRow& row) const {
  return round_of_[static_cast<std::size_t>(row.first)] == round_ ||
         (row.is_pair() && round_of_[static_cast<std::size_t>(row.second)] == round_);
}

void GavelPicker::take(const GavelRow& row) {
  round_of_[static_cast<std::size_t>(row.first)] = round_;
  if (row.is_pair()) round_of_[static_cast<std::size_t>(row.second)] = round_;
}

void GavelPicker::pick(GavelTable& table, std::span<const std::size_t> type_order,
                       std::vector<GavelPicked>& out) {
  out.clear();
  ++round_;
  settled_ = true;
  any_order_ = !takes_idle_;
  for (const std::size_t type : type_order) {
    collect(table, type);
    if (rows_.empty()) continue;
    if (demand_ <= types_.gpus[type] && !pairs_)
      take_all(table, type, out);
    else
      take_in_order(table, type, out);
  }
}

void GavelPicker::collect(const GavelTable& table, std::size_t type) {
  rows_.clear();
  demand_ = 0;
  smallest_ = std::numeric_limits<std::int32_t>::max();
  pairs_ = false;
  const std::vector<GavelRow>& rows = table.rows();
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const GavelRow& row = rows[r];
    if (takes_idle_ ? !row.runs_on(type) : !table.entitled(r, type)) continue;
    if (taken(row)) {
      any_order_ = false;
      continue;
    }
    rows_.push_back(static_cast<std::int32_t>(r));
    demand_ += row.gpus;
    smallest_ = std::min(smallest_, row.gpus);
    pairs_ = pairs_ || row.is_pair();
  }
}

void GavelPicker::take_all(const GavelTable& table, std::size_t type, std::vector<GavelPicked>& out) {
  for (const std::int32_t r : rows_) {
    take(table.rows()[static_cast<std::size_t>(r)]);
    out.push_back({.row = r, .type = static_cast<std::int32_t>(type)});
  }
}

void GavelPicker::take_in_order(GavelTable& table, std::size_t type, std::vector<GavelPicked>& out) {
  settled_ = false;
  queue_.clear();
  for (const std::int32_t r : rows_) {
    const auto row = static_cast<std::size_t>(r);
    const bool shared = table.rows()[row].shared;
    queue_.push_back({.priority = table.priority(row, type),
                      .deficit = table.deficit(row, type),
                      .share = shared ? table.share(row, type) : 0.0,
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
  std::int64_t left = types_.gpus[type];
  while (!queue_.empty() && left >= smallest_) {
    const std::int32_t r = queue_.front().row;
    std::ranges::pop_heap(queue_, after);
    queue_.pop_back();
    const GavelRow& row = table.rows()[static_cast<std::size_t>(r)];
    if (row.gpus > left || taken(row)) continue;
    left -= row.gpus;
    take(row);
    out.push_back({.row = r, .type = static_cast<std::int32_t>(type)});
  }
}

}  // namespace sextant
