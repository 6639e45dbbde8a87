#include "sextant/failures/failure_log.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "sextant/core/date.h"
#include "sextant/core/text.h"

namespace sextant::failures {
namespace {

constexpr Seconds kMinute{60};
constexpr Seconds kDay{86'400};
// Longer than anybody's records; beyond it sums of times lose their minutes.
constexpr Seconds kLongest{1e11};

struct TimeColumn {
  std::size_t column = 0;
  Seconds unit{};  // of its numbers; 0: dates
};

// The column `prefix`_s, _h or _day that the table has.
std::optional<TimeColumn> numbered_time(const CsvTable& table, const std::string& prefix) {
  const std::vector<std::pair<std::string, Seconds>> units = {
      {"_s", Seconds{1}}, {"_h", kHour}, {"_day", kDay}};
  for (const auto& [suffix, unit] : units) {
    if (const auto column = table.find_column(prefix + suffix)) return TimeColumn{*column, unit};
  }
  return std::nullopt;
}

TimeColumn start_column(const CsvTable& table) {
  if (const auto numbered = numbered_time(table, "start")) return *numbered;
  if (const auto column = table.find_column("started")) return {*column, Seconds{0}};
  throw InputError({table.file_name(), 1, 0}, "no column says when nodes failed",
                   "name it start_s, start_h, start_day, or started where it holds dates");
}

Seconds time_in(const CsvTable& table, std::size_t row, const TimeColumn& from) {
  Seconds time;
  if (from.unit == Seconds{0}) {
    const std::string text = table.text(row, from.column);
    const std::optional<Seconds> date = date_seconds(text);
    if (!date)
      throw InputError(table.where(row, from.column), "'" + text + "' is no date", "as in 2026-12-01T18:00");
    time = *date;
  } else {
    time = table.number(row, from.column) * from.unit;
  }
  if (std::abs(time.value) <= kLongest.value) return time;
  throw InputError(table.where(row, from.column), "the time is more than 3,000 years away");
}

class LogReader {
 public:
  LogReader(const CsvTable& table, const FailureLogOptions& options)
      : table_(table),
        options_(options),
        start_(start_column(table)),
        end_(numbered_time(table, "end")),
        node_(table.column("node")),
        down_(table.find_column("down_minutes")),
        nodes_(table.find_column("nodes")),
        system_(table.find_column("system")) {}

  std::vector<FailureLog> read() {
    for (std::size_t row = 0; row < table_.rows(); ++row) add(row);
    if (logs_.empty()) throw InputError({table_.file_name(), 0, 0}, "the file has no failures");
    for (FailureLog& log : logs_) finish(log);
    return std::move(logs_);
  }

 private:
  void add(std::size_t row) {
    const std::string name = system_ ? table_.text(row, *system_) : "";
    const auto [place, is_new] = place_.try_emplace(name, logs_.size());
    if (is_new) {
      logs_.push_back({.name = name});
      node_ids_.emplace_back();
    }
    FailureLog& log = logs_[place->second];
    auto& ids = node_ids_[place->second];
    const auto id = ids.try_emplace(table_.text(row, node_), std::ssize(ids)).first->second;
    Failure failure{.at = time_in(table_, row, start_), .node = id, .repair = repair(row)};
    log.failures.push_back(failure);
    if (nodes_ && !table_.empty(row, *nodes_)) log.nodes = std::max(log.nodes, table_.integer(row, *nodes_));
  }

  [[nodiscard]] std::optional<Seconds> repair(std::size_t row) const {
    std::optional<Seconds> away;
    std::size_t column = 0;
    if (end_ && !table_.empty(row, end_->column)) {
      column = end_->column;
      away = time_in(table_, row, *end_) - time_in(table_, row, start_);
    } else if (down_ && !table_.empty(row, *down_)) {
      column = *down_;
      away = table_.number(row, *down_) * kMinute;
    }
    if (away && away->value < 0)
      throw InputError(table_.where(row, column), "the node was back before it failed");
    return away;
  }

  void finish(FailureLog& log) const {
    const std::string what = log.name.empty() ? "the log" : "system '" + log.name + "'";
    const auto failed = std::ssize(node_ids_[static_cast<std::size_t>(&log - logs_.data())]);
    if (options_.nodes) log.nodes = *options_.nodes;
    if (log.nodes == 0) log.nodes = failed;
    if (log.nodes < failed) {
      throw InputError({table_.file_name(), 0, 0}, std::to_string(failed) + " nodes of " + what +
                                                       " failed, and it is said to have " +
                                                       std::to_string(log.nodes));
    }
    if (log.failures.size() < 2)
      throw InputError({table_.file_name(), 0, 0}, what + " has one failure; rates need two at least");
    std::ranges::stable_sort(log.failures, {}, &Failure::at);
    const Seconds begin = log.failures.front().at;
    for (Failure& failure : log.failures) failure.at = failure.at - begin;
    log.period = log.failures.back().at;
    if (log.period.value > 0) return;
    throw InputError({table_.file_name(), 0, 0}, "all failures of " + what + " are at the same time");
  }

  const CsvTable& table_;
  const FailureLogOptions& options_;
  TimeColumn start_;
  std::optional<TimeColumn> end_;
  std::size_t node_;
  std::optional<std::size_t> down_;
  std::optional<std::size_t> nodes_;
  std::optional<std::size_t> system_;
  std::map<std::string, std::size_t> place_ = {};  // of a system in logs_
  std::vector<std::map<std::string, std::int64_t>> node_ids_ = {};
  std::vector<FailureLog> logs_ = {};
};

}  // namespace

Seconds FailureLog::node_mtbf() const {
  return static_cast<double>(nodes) / static_cast<double>(failures.size()) * period;
}

FailureLog FailureLog::between(Seconds from, Seconds to) const {
  FailureLog part{.name = name, .nodes = nodes, .period = to - from};
  for (const Failure& failure : failures) {
    if (failure.at < from || failure.at >= to) continue;
    part.failures.push_back(failure);
    part.failures.back().at = failure.at - from;
  }
  return part;
}

std::vector<FailureLog> read_failure_logs(const CsvTable& table, const FailureLogOptions& options) {
  return LogReader(table, options).read();
}

}  // namespace sextant::failures
