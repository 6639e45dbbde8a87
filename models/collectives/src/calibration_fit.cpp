#include "sextant/collectives/calibration_fit.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "fit_slots.h"
#include "least_squares.h"
#include "sextant/stats/robust.h"
#include "wire_time.h"

namespace sextant::collectives {
namespace {

constexpr double kMisfit = 0.07;     // of log time: what the shape of the model leaves over
constexpr double kJitter = 10e-6;    // seconds, of the host
constexpr double kMostWeight = 2.5;  // of a bin, in independent rows: neighbours err alike
constexpr double kBinsPerOctave = 4;
constexpr double kClip = 1.5;  // deviations from which on a row counts less

// Rows of one placement and nearly one size as one point: their medians.
struct Bin {
  const System* system = nullptr;
  CollectiveQuestion question = {};
  std::vector<double> log_times = {};
  std::vector<double> log_bytes = {};
};

struct Point {
  Terms terms;
  double log_time = 0;
  double deviation = 0;
  double weight = 0;
};

std::vector<Bin> bins_of(std::span<const TimedCollective> rows) {
  std::map<std::pair<std::string, long>, Bin> bins;
  for (const auto& row : rows) {
    const double log_bytes = std::log2(std::max(1.0, row.question.bytes.value));
    Bin& bin = bins[{placement_key(row.system, row.question), std::lround(kBinsPerOctave * log_bytes)}];
    bin.system = &row.system;
    bin.question = row.question;
    bin.log_times.push_back(std::log(row.time.value));
    bin.log_bytes.push_back(log_bytes);
  }
  std::vector<Bin> all;
  for (auto& entry : bins) all.push_back(std::move(entry.second));
  return all;
}

std::vector<Point> points_of(std::span<const TimedCollective> rows, const Calibration& calibration) {
  std::vector<Point> points;
  for (Bin& bin : bins_of(rows)) {
    bin.question.bytes = Bytes{std::exp2(stats::median(bin.log_bytes))};
    const double log_time = stats::median(bin.log_times);
    const double jitter = kJitter / std::exp(log_time);
    points.push_back({.terms = terms_of(calibration, *bin.system, bin.question),
                      .log_time = log_time,
                      .deviation = std::hypot(kMisfit, jitter),
                      .weight = std::sqrt(std::min(kMostWeight, static_cast<double>(bin.log_times.size())))});
  }
  return points;
}

// Cauchy's loss: its square grows like z^2 near 0 and like log z far out.
double clipped(double z) {
  return std::copysign(kClip * std::sqrt(std::log1p((z / kClip) * (z / kClip))), z);
}

}  // namespace

Calibration fit_calibration(std::span<const TimedCollective> rows) {
  if (rows.empty()) throw InputError(at_field("data"), "the file has no timed collective");
  Calibration calibration = prior_calibration();
  calibration.rows = rows.size();
  for (const auto& row : rows) {
    if (!row.system.architecture.empty()) calibration.architectures.try_emplace(row.system.architecture, 1.0);
    calibration.systems.try_emplace(fold_name(row.system.id));
    Bytes& largest = calibration.placements[placement_key(row.system, row.question)].largest;
    largest = std::max({largest, row.question.bytes, Bytes{1}});
  }
  const std::vector<Slot> slots = slots_of(calibration);
  const std::vector<Point> points = points_of(rows, calibration);
  const auto residuals = [&](const std::vector<double>& logs) {
    std::vector<double> all;
    all.reserve(points.size() + slots.size());
    for (std::size_t i = 0; i < slots.size(); ++i) {
      *slots[i].value = std::exp(std::clamp(logs[i], -80.0, 80.0));
      all.push_back((logs[i] - slots[i].start) / slots[i].deviation);
    }
    for (const Point& point : points) {
      const double z = (std::log(time_of(point.terms).total) - point.log_time) / point.deviation;
      all.push_back(point.weight * clipped(z));
    }
    return all;
  };
  std::vector<double> start;
  for (const Slot& slot : slots) start.push_back(slot.start);
  residuals(least_squares(residuals, std::move(start)));  // leaves the best values in their places
  return calibration;
}

}  // namespace sextant::collectives
