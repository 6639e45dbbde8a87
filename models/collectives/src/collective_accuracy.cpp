#include <cmath>
#include <set>

#include "sextant/collectives/calibration_fit.h"

namespace sextant::collectives {
namespace {

constexpr Bytes kLargestFitted{16.0 * 1024 * 1024};
constexpr const char* kData = "NCCL collectives (Vidur)";

using Rows = std::vector<TimedCollective>;

bool is_all_reduce(const TimedCollective& row) {
  return row.question.collective == Collective::all_reduce;
}

void ask(const Calibration& calibration, const Rows& asked, stats::AccuracyLine& line) {
  for (const auto& row : asked) {
    const CollectiveEstimate e = estimate(calibration, row.system, row.question);
    line.cases.push_back({.group = row.system.id,
                          .mode = "",
                          .error = std::abs(e.time / row.time - 1),
                          .covered = e.low <= row.time && row.time <= e.high,
                          .half_width = (e.high - e.low) / e.time / 2});
  }
}

struct Split {
  Rows kept = {};
  Rows asked = {};
};

template <class LeftOut>
Split split(const Rows& rows, const LeftOut& left_out) {
  Split s;
  for (const auto& row : rows) (left_out(row) ? s.asked : s.kept).push_back(row);
  return s;
}

stats::AccuracyLine longer_messages(const Rows& rows, Progress& progress) {
  stats::AccuracyLine line{.data = kData, .left_out = "all-reduces above 16 MiB", .target = 0.06};
  const Split s = split(rows, [](const TimedCollective& row) {
    return is_all_reduce(row) && row.question.bytes > kLargestFitted;
  });
  Calibration calibration = fit_calibration(s.kept);
  measure_widths(s.kept, calibration, {.placement = false, .system = false, .nothing = false}, progress);
  ask(calibration, s.asked, line);
  return line;
}

// Its messages are left out too, so that only the facts of its links are known.
stats::AccuracyLine new_systems(const Rows& rows, Progress& progress) {
  stats::AccuracyLine line{.data = kData, .left_out = "a system; its all-reduces asked", .target = 0.20};
  std::set<std::string> systems;
  for (const auto& row : rows) {
    if (is_all_reduce(row)) systems.insert(row.system.id);
  }
  for (const auto& id : systems) {
    Split s = split(rows, [&](const TimedCollective& row) { return row.system.id == id; });
    std::erase_if(s.asked, [](const TimedCollective& row) { return !is_all_reduce(row); });
    Calibration calibration = fit_calibration(s.kept);
    measure_widths(s.kept, calibration, {.placement = false, .longer = false, .system = false}, progress);
    ask(calibration, s.asked, line);
  }
  return line;
}

}  // namespace

std::vector<stats::AccuracyLine> collective_accuracy(const std::string& data_folder,
                                                     const catalog::Catalog& catalog, Progress& progress) {
  const Systems systems = load_systems(catalog);
  Rows rows;
  for (const char* file : {"all_reduce.csv", "send_recv.csv"}) {
    const auto table = CsvTable::read_file(data_folder + "/collectives/" + file);
    const auto read = read_timed(table, systems, catalog);
    rows.insert(rows.end(), read.begin(), read.end());
  }
  return {longer_messages(rows, progress), new_systems(rows, progress)};
}

}  // namespace sextant::collectives
