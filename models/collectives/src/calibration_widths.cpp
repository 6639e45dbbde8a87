#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>

#include "sextant/collectives/calibration_fit.h"
#include "sextant/stats/quantiles.h"
#include "wire_time.h"

namespace sextant::collectives {
namespace {

constexpr double kCovered = 0.9;
constexpr std::size_t kFewest = 20;  // rows for a quantile; with fewer the width stays
constexpr long kFolds = 4;
constexpr double kLonger = 4;  // left out: within this factor of the largest message

using TimedRows = std::span<const TimedCollective>;
using LeftOut = std::function<bool(const TimedCollective&)>;

struct Misses {
  std::vector<double> near_launch = {};
  std::vector<double> above = {};
};

// Misses on what is left out, by the fit to the rest.
Misses misses_of(TimedRows rows, const LeftOut& left_out) {
  Misses misses;
  std::vector<TimedCollective> kept;
  std::vector<const TimedCollective*> asked;
  for (const auto& row : rows) {
    if (left_out(row)) {
      asked.push_back(&row);
    } else {
      kept.push_back(row);
    }
  }
  if (kept.empty() || asked.empty()) return misses;
  const Calibration fitted = fit_calibration(kept);
  for (const TimedCollective* row : asked) {
    const Terms terms = terms_of(fitted, row->system, row->question);
    const WireTime time = time_of(terms);
    const double miss = std::abs(std::log(row->time.value / time.total));
    (near_launch(terms, time) ? misses.near_launch : misses.above).push_back(miss);
  }
  return misses;
}

double width_of(const std::vector<double>& misses, double otherwise) {
  return misses.size() >= kFewest ? stats::sample_quantile(misses, kCovered) : otherwise;
}

// Groups are few and unlike each other: the next one may be harder than the worst of n, by 1/n of it.
Width worst_width(const std::vector<Misses>& groups, const Width& otherwise) {
  Width worst{0, 0};
  for (const Misses& misses : groups) {
    worst.near_launch = std::max(worst.near_launch, width_of(misses.near_launch, 0));
    worst.above = std::max(worst.above, width_of(misses.above, 0));
  }
  const double wider = 1 + 1 / static_cast<double>(std::max<std::size_t>(1, groups.size()));
  return {worst.near_launch > 0 ? wider * worst.near_launch : otherwise.near_launch,
          worst.above > 0 ? wider * worst.above : otherwise.above};
}

Width pooled_width(const std::vector<Misses>& folds, const Width& otherwise) {
  Misses all;
  for (const Misses& misses : folds) {
    all.near_launch.insert(all.near_launch.end(), misses.near_launch.begin(), misses.near_launch.end());
    all.above.insert(all.above.end(), misses.above.begin(), misses.above.end());
  }
  return {width_of(all.near_launch, otherwise.near_launch), width_of(all.above, otherwise.above)};
}

bool is_message(const TimedCollective& row) {
  return row.question.collective == Collective::p2p;
}

// One width of collectives or of messages: what is left out in turn.
struct Task {
  bool message;
  Known known;
  std::vector<LeftOut> folds;
};

std::vector<LeftOut> size_folds() {
  std::vector<LeftOut> folds;
  for (long fold = 0; fold < kFolds; ++fold) {
    folds.emplace_back([fold](const TimedCollective& row) {
      return std::lround(2 * std::log2(std::max(1.0, row.question.bytes.value))) % kFolds == fold;
    });
  }
  return folds;
}

// The longest messages of every placement.
std::vector<LeftOut> longest(TimedRows rows) {
  std::map<std::string, double> most;
  for (const auto& row : rows) {
    double& bytes = most[placement_key(row.system, row.question)];
    bytes = std::max(bytes, row.question.bytes.value);
  }
  return {[most](const TimedCollective& row) {
    return kLonger * row.question.bytes.value > most.at(placement_key(row.system, row.question));
  }};
}

std::string group_of(const TimedCollective& row, Known known) {
  return known == Known::system ? placement_key(row.system, row.question) : fold_name(row.system.id);
}

std::vector<LeftOut> each_group(TimedRows rows, Known known, bool message) {
  std::set<std::string> groups;
  for (const auto& row : rows) {
    if (is_message(row) == message) groups.insert(group_of(row, known));
  }
  std::vector<LeftOut> folds;
  if (groups.size() < 2) return folds;
  for (const auto& group : groups) {
    folds.emplace_back([group, known](const TimedCollective& row) { return group_of(row, known) == group; });
  }
  return folds;
}

std::vector<Task> tasks_of(TimedRows rows, const WidthParts& parts) {
  std::vector<Task> tasks;
  for (const bool message : {false, true}) {
    if (parts.placement) tasks.push_back({message, Known::placement, size_folds()});
    if (parts.longer) tasks.push_back({message, Known::longer, longest(rows)});
    if (parts.system) tasks.push_back({message, Known::system, each_group(rows, Known::system, message)});
    if (parts.nothing) tasks.push_back({message, Known::nothing, each_group(rows, Known::nothing, message)});
  }
  return tasks;
}

}  // namespace

void measure_widths(TimedRows rows, Calibration& calibration, const WidthParts& parts, Progress& progress) {
  const auto tasks = tasks_of(rows, parts);
  std::int64_t total = 0;
  for (const Task& task : tasks) total += std::ssize(task.folds);
  std::int64_t done = 0;
  for (const Task& task : tasks) {
    std::vector<Misses> misses;
    for (const LeftOut& fold : task.folds) {
      progress.step(done++, total, "collectives left out");
      const bool message = task.message;
      misses.push_back(misses_of(
          rows, [&](const TimedCollective& row) { return is_message(row) == message && fold(row); }));
    }
    auto& widths = task.message ? calibration.message_widths : calibration.collective_widths;
    Width& width = widths.at(static_cast<std::size_t>(task.known));
    const bool groups = task.known == Known::system || task.known == Known::nothing;
    width = groups ? worst_width(misses, width) : pooled_width(misses, width);
  }
}

}  // namespace sextant::collectives
