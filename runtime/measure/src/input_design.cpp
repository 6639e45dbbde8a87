#include "input_design.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>

#include "sextant/core/rng.h"
#include "sextant/core/text.h"

namespace sextant::measure {
namespace {

constexpr std::int64_t kMostMeasurements = 1'000'000;
constexpr std::int64_t kMostSamples = 100'000'000;

const std::vector<InputFormat>& formats() {
  static const std::vector<InputFormat> all{
      {.name = "images", .images = true, .image = input::ImageFormat::jpeg},
      {.name = "images-png", .images = true, .image = input::ImageFormat::png},
      {.name = "images-ppm", .images = true, .image = input::ImageFormat::ppm},
      {.name = "records", .record = input::RecordEncoding::raw_u8},
      {.name = "records-zlib", .record = input::RecordEncoding::zlib_u8},
  };
  return all;
}

struct FactorRange {
  const char* name;
  const std::vector<std::int64_t>& values;
  std::int64_t low;
  std::int64_t high;
};

void check_factor(const FactorRange& factor) {
  const SourcePos at = at_field(factor.name);
  if (factor.values.empty()) throw InputError(at, "the list is empty");
  for (const std::int64_t value : factor.values) {
    if (value < factor.low || value > factor.high) {
      throw InputError(at, std::to_string(value) + " is not between " + std::to_string(factor.low) + " and " +
                               std::to_string(factor.high));
    }
  }
  if (std::set(factor.values.begin(), factor.values.end()).size() != factor.values.size()) {
    throw InputError(at, "a value is given twice", "`repetitions` says how often each is measured");
  }
}

void check_formats(const InputDesign& design) {
  if (design.formats.empty()) throw InputError(at_field("formats"), "the list is empty");
  std::set<std::string> seen;
  for (const std::string& name : design.formats) {
    if (!seen.insert(input_format(name).name).second) {
      throw InputError(at_field("formats"), "'" + name + "' is given twice");
    }
  }
}

}  // namespace

InputFormat input_format(const std::string& name) {
  std::vector<std::string> names;
  for (const InputFormat& format : formats()) {
    if (fold_name(name) == format.name) return format;
    names.push_back(format.name);
  }
  throw InputError(at_field("formats"), "unknown format '" + name + "'", name_hint(name, names));
}

void check_input_design(const InputDesign& design) {
  check_formats(design);
  check_factor({"batch", design.batches, 1, kMostSamples});
  check_factor({"batches", design.batch_counts, 1, kMostSamples});
  check_factor({"samples", design.samples, 1, kMostSamples});
  check_factor({"prefetch", design.prefetch, 0, 1 << 16});
  check_factor({"cache", design.cache, 0, 1});
  const std::vector<std::int64_t> repetitions{design.repetitions};
  check_factor({"repetitions", repetitions, 1, 10000});
  if (!(design.budget_s > 0) || !std::isfinite(design.budget_s)) {
    throw InputError(at_field("budget"), "the budget is not above 0");
  }
  const std::int64_t largest = *std::ranges::max_element(design.batches);
  const std::int64_t smallest = *std::ranges::min_element(design.samples);
  if (largest > smallest) {
    throw InputError(at_field("batch"),
                     "a batch of " + std::to_string(largest) + " is more than a data set of " +
                         std::to_string(smallest) + " samples has",
                     "every combination is measured: take smaller batches, or more `samples`");
  }
  double product = static_cast<double>(design.repetitions) * static_cast<double>(design.formats.size());
  for (const auto* values :
       {&design.batches, &design.batch_counts, &design.samples, &design.prefetch, &design.cache}) {
    product *= static_cast<double>(values->size());
  }
  if (product > static_cast<double>(kMostMeasurements)) {
    throw InputError("the product of all factors and repetitions is above " +
                     std::to_string(kMostMeasurements));
  }
}

std::vector<InputPoint> input_points(const InputDesign& design) {
  std::vector<InputPoint> points(1);
  // Every point once for each value of one more factor.
  const auto cross = [&points](const auto& values, auto member) {
    std::vector<InputPoint> crossed;
    for (const InputPoint& point : points) {
      for (const auto& value : values) {
        crossed.push_back(point);
        crossed.back().*member = value;
      }
    }
    points = std::move(crossed);
  };
  cross(design.formats, &InputPoint::format);
  cross(design.batches, &InputPoint::batch);
  cross(design.batch_counts, &InputPoint::batch_count);
  cross(design.samples, &InputPoint::samples);
  cross(design.prefetch, &InputPoint::prefetch);
  cross(design.cache, &InputPoint::cache);
  return points;
}

std::vector<std::size_t> input_order(std::size_t points, std::int64_t repetition, std::uint64_t seed) {
  std::vector<std::size_t> order(points);
  std::iota(order.begin(), order.end(), std::size_t{0});
  Rng rng = Rng(seed).stream("input order", static_cast<std::uint64_t>(repetition));
  for (std::size_t left = points; left > 1; --left) {
    const auto pick = static_cast<std::size_t>(rng.below(left));
    std::swap(order[left - 1], order[pick]);
  }
  return order;
}

}  // namespace sextant::measure
