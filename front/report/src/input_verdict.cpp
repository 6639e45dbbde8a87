#include "input_verdict.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "sextant/core/text.h"
#include "sextant/core/unit_text.h"
#include "sextant/stats/robust.h"

namespace sextant::report {
namespace {

using measure::InputPoint;
using measure::InputReport;

constexpr double kWorthChanging = 1.2;  // times as fast

// How data are read, whatever the sizes of batches and data sets.
struct ReadingWay {
  std::string format;
  std::int64_t prefetch = 0;
  std::int64_t cache = 0;
  double samples_per_s = 0;  // median over points and repetitions
};

std::vector<ReadingWay> ways_of(const InputReport& report) {
  std::vector<ReadingWay> ways;
  std::vector<std::vector<double>> rates;
  for (const InputPoint& point : report.points) {
    const auto same = std::ranges::find_if(ways, [&](const ReadingWay& way) {
      return way.format == point.format && way.prefetch == point.prefetch && way.cache == point.cache;
    });
    const auto place = static_cast<std::size_t>(same - ways.begin());
    if (same == ways.end()) {
      ways.push_back({.format = point.format, .prefetch = point.prefetch, .cache = point.cache});
      rates.emplace_back();
    }
    rates[place].insert(rates[place].end(), point.samples_per_s.begin(), point.samples_per_s.end());
  }
  for (std::size_t i = 0; i < ways.size(); ++i) {
    if (!rates[i].empty()) ways[i].samples_per_s = stats::median(rates[i]);
  }
  std::erase_if(ways, [](const ReadingWay& way) { return !(way.samples_per_s > 0); });
  return ways;
}

// The first format, and the least that was measured of what costs memory.
const ReadingWay& plainest(const std::vector<ReadingWay>& ways) {
  return *std::ranges::min_element(ways, [&](const ReadingWay& a, const ReadingWay& b) {
    const bool first_a = a.format == ways.front().format;
    const bool first_b = b.format == ways.front().format;
    if (first_a != first_b) return first_a;
    return a.cache != b.cache ? a.cache < b.cache : a.prefetch < b.prefetch;
  });
}

const ReadingWay* fastest(const std::vector<ReadingWay>& ways, bool cached) {
  const ReadingWay* best = nullptr;
  for (const ReadingWay& way : ways) {
    if ((way.cache == 1) != cached) continue;
    if (best == nullptr || way.samples_per_s > best->samples_per_s) best = &way;
  }
  return best;
}

std::string rate_text(double rate) {
  const double step = std::pow(10, std::floor(std::log10(rate)) - 2);  // three digits
  return number_text(std::round(std::round(rate / step) * step)) + " samples/s";
}

std::string way_text(const ReadingWay& way) {
  const std::string ahead =
      way.prefetch == 0
          ? "nothing read ahead"
          : std::to_string(way.prefetch) + (way.prefetch == 1 ? " batch" : " batches") + " read ahead";
  return "format " + way.format + ", " + ahead +
         (way.cache == 1 ? " and decoded samples kept in memory" : "");
}

}  // namespace

std::string input_verdict(const InputReport& report) {
  const std::vector<ReadingWay> ways = ways_of(report);
  if (ways.empty()) return {};
  const std::int64_t batch = std::ranges::max(report.points, {}, &InputPoint::batch).batch;
  const auto batch_time = [batch](const ReadingWay& way) {
    return human(Seconds{static_cast<double>(batch) / way.samples_per_s});
  };
  const ReadingWay& plain = plainest(ways);
  std::string text = "With " + way_text(plain) + ", reading gives " + rate_text(plain.samples_per_s) +
                     ": a training step of " + std::to_string(batch) + " samples that takes less than " +
                     batch_time(plain) + " waits for its input.";
  bool better = false;
  for (const bool cached : {false, true}) {
    const ReadingWay* best = fastest(ways, cached);
    if (best == nullptr || best == &plain) continue;
    const double times = best->samples_per_s / plain.samples_per_s;
    if (times < kWorthChanging) continue;
    better = true;
    text += " With " + way_text(*best) + " reading is " + number_text(std::round(10 * times) / 10) +
            " times as fast: only steps below " + batch_time(*best) + " wait.";
  }
  if (!better && ways.size() > 1) text += " No other setting that was measured is much faster.";
  return text + " Training that uses the same cores leaves less for reading.";
}

}  // namespace sextant::report
