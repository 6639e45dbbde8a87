#include "input_lines.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <functional>
#include <set>
#include <string_view>

#include "sextant/core/text.h"
#include "sextant/stats/linear_model.h"
#include "sextant/stats/summary.h"

namespace sextant::measure {
namespace {

constexpr double kSmallP = 0.05;
constexpr std::string_view kNoScatter =
    "there are as many measurements as unknowns, so that nothing shows what chance does: measure more points "
    "or repetitions";

// A column of the regressions.
struct InputColumn {
  std::string factor;
  std::string subject;  // "the batch size changes throughput"
  std::string unit;     // "for each sample of the batch"
  std::function<double(const InputPoint&)> value;
  std::string zero = {};  // what 0 and 1 stand for, where they are no numbers
  std::string one = {};
};

InputColumn number_column(const char* factor, const char* subject, const char* unit,
                          std::int64_t InputPoint::*member) {
  return {factor, subject, unit,
          [member](const InputPoint& point) { return static_cast<double>(point.*member); }};
}

std::vector<InputPoint> measured(std::span<const InputPoint> points) {
  std::vector<InputPoint> kept;
  std::ranges::copy_if(points, std::back_inserter(kept),
                       [](const InputPoint& point) { return !point.samples_per_s.empty(); });
  return kept;
}

std::vector<InputColumn> columns_of(const std::vector<InputPoint>& points) {
  std::vector<InputColumn> columns;
  std::vector<std::string> formats;  // in order of appearance: the first is the baseline
  for (const InputPoint& point : points) {
    if (std::ranges::find(formats, point.format) == formats.end()) formats.push_back(point.format);
  }
  for (std::size_t i = 1; i < formats.size(); ++i) {
    columns.push_back(
        {"format: " + formats[i], "reading " + formats[i] + " instead of " + formats[0],
         "with " + formats[i] + " instead of " + formats[0],
         [format = formats[i]](const InputPoint& point) { return point.format == format ? 1.0 : 0.0; },
         formats[0], formats[i]});
  }
  columns.push_back(
      number_column("batch", "the batch size", "for each sample of the batch", &InputPoint::batch));
  columns.push_back(number_column("batch count", "the number of batches", "for each batch that is read",
                                  &InputPoint::batch_count));
  columns.push_back(number_column("samples", "the size of the data set", "for each sample of the data set",
                                  &InputPoint::samples));
  columns.push_back(
      number_column("prefetch", "reading ahead", "for each batch read ahead", &InputPoint::prefetch));
  columns.push_back(
      number_column("cache", "keeping decoded samples", "with decoded samples kept", &InputPoint::cache));
  std::erase_if(columns, [&](const InputColumn& column) {
    std::set<double> levels;
    for (const InputPoint& point : points) levels.insert(column.value(point));
    return levels.size() < 2;
  });
  return columns;
}

// Repetitions of a point share what the columns leave out, so they are no independent rows: their mean is
// one. Where the columns tell all points apart, nothing is left out, and each repetition is a row.
stats::Design design_of(const std::vector<InputPoint>& points, std::span<const InputColumn> columns) {
  std::vector<std::vector<double>> xs;
  std::set<std::vector<double>> distinct;
  for (const InputPoint& point : points) {
    std::vector<double> x;
    for (const InputColumn& column : columns) x.push_back(column.value(point));
    distinct.insert(x);
    xs.push_back(std::move(x));
  }
  const bool all_told_apart = distinct.size() == points.size() && columns.size() == 1;
  std::vector<std::vector<double>> rows;
  stats::Design design;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const std::vector<double>& measurements = points[i].samples_per_s;
    const std::vector<double> ys =
        all_told_apart ? measurements : std::vector<double>{stats::mean(measurements)};
    for (const double y : ys) {
      rows.push_back(xs[i]);
      design.y.push_back(y);
    }
  }
  design.x = stats::Matrix::from_rows(rows);
  for (const InputColumn& column : columns) design.names.push_back(column.factor);
  return design;
}

std::string three_digits(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.3g", value);
  return text.data();
}

std::string p_text(double p) {
  return p < 0.001 ? "p < 0.001" : "p = " + three_digits(p);
}

std::string reading_of(const FactorLine& line, const InputColumn& column) {
  if (!std::isfinite(line.slope_interval.low)) {
    return std::string(kNoScatter);
  }
  const std::string low = three_digits(line.slope_interval.low);
  const std::string high = three_digits(line.slope_interval.high);
  if (line.p_value < kSmallP) {
    return std::string("throughput ") + (line.slope > 0 ? "rises" : "falls") + " by " +
           three_digits(std::abs(line.slope)) + " samples/s " + column.unit +
           " (95 % interval of the change " + low + " to " + high + ", " + p_text(line.p_value) + ")";
  }
  return "these data do not show whether " + column.subject + " changes throughput (" + p_text(line.p_value) +
         "); a change between " + low + " and " + high + " samples/s " + column.unit +
         " is compatible with them";
}

// From the lowest to the highest level as 0 to 1.
InputColumn scaled(const InputColumn& column, const std::vector<InputPoint>& points) {
  InputColumn result = column;
  double low = column.value(points.front());
  double high = low;
  for (const InputPoint& point : points) {
    low = std::min(low, column.value(point));
    high = std::max(high, column.value(point));
  }
  if (column.zero.empty()) {
    result.zero = number_text(low);
    result.one = number_text(high);
  }
  result.value = [low, high, value = column.value](const InputPoint& point) {
    return (value(point) - low) / (high - low);
  };
  return result;
}

std::string reading_of(const FactorRatio& ratio, const InputColumn& column) {
  const std::string range =
      three_digits(ratio.ratio_interval.low) + " to " + three_digits(ratio.ratio_interval.high);
  const std::string levels = column.factor.starts_with("format: ")
                                 ? ratio.high + " against " + ratio.low
                                 : column.factor + " " + ratio.high + " against " + ratio.low;
  if (!std::isfinite(ratio.ratio_interval.high)) return std::string(kNoScatter);
  if (ratio.p_value < kSmallP) {
    return levels + ": " + three_digits(ratio.ratio) + " times the throughput (95 % interval " + range +
           ", " + p_text(ratio.p_value) + ")";
  }
  return levels + ": these data do not show a difference (" + p_text(ratio.p_value) + "); " + range +
         " times the throughput is compatible with them";
}

std::vector<FactorLine> lines_of(const stats::Design& design, std::span<const InputColumn> columns) {
  std::vector<FactorLine> lines;
  if (design.y.size() < columns.size() + 1) return lines;
  const stats::OlsFit fit = fit_ols(design);
  for (std::size_t term = 0; term < fit.terms.size(); ++term) {
    const stats::OlsTerm& estimate = fit.terms[term];
    if (!estimate.column) continue;
    FactorLine line{.factor = estimate.name,
                    .intercept = fit.intercept,
                    .slope = estimate.coefficient,
                    .slope_interval = coefficient_interval(fit, term),
                    .p_value = estimate.p,
                    .reading = {}};
    line.reading = reading_of(line, columns[*estimate.column]);
    lines.push_back(std::move(line));
  }
  std::ranges::stable_sort(lines, {}, [&](const FactorLine& line) {
    return std::ranges::find(columns, line.factor, &InputColumn::factor) - columns.begin();
  });
  return lines;
}

}  // namespace

std::vector<FactorLine> single_factor_lines(std::span<const InputPoint> points) {
  const std::vector<InputPoint> all = measured(points);
  std::vector<FactorLine> lines;
  for (const InputColumn& column : columns_of(all)) {
    std::vector<InputPoint> compared = all;
    if (column.factor.starts_with("format: ")) {  // the baseline and this one
      const std::string format = column.factor.substr(std::string("format: ").size());
      std::erase_if(compared, [&](const InputPoint& point) {
        return point.format != format && point.format != all.front().format;
      });
    }
    const std::span one(&column, 1);
    std::ranges::move(lines_of(design_of(compared, one), one), std::back_inserter(lines));
  }
  return lines;
}

std::vector<FactorLine> joint_factor_lines(std::span<const InputPoint> points) {
  const std::vector<InputPoint> all = measured(points);
  const std::vector<InputColumn> columns = columns_of(all);
  if (columns.size() < 2) return {};
  return lines_of(design_of(all, columns), columns);
}

std::vector<FactorRatio> factor_ratios(std::span<const InputPoint> points) {
  std::vector<InputPoint> all = measured(points);
  std::vector<InputColumn> columns = columns_of(all);
  for (InputColumn& column : columns) column = scaled(column, all);
  for (InputPoint& point : all) {
    for (double& rate : point.samples_per_s) rate = std::log(rate);
  }
  std::vector<FactorRatio> ratios;
  if (columns.empty()) return ratios;
  for (const FactorLine& line : lines_of(design_of(all, columns), columns)) {
    const InputColumn& column = *std::ranges::find(columns, line.factor, &InputColumn::factor);
    ratios.push_back(
        {.factor = line.factor,
         .low = column.zero,
         .high = column.one,
         .ratio = std::exp(line.slope),
         .ratio_interval = {std::exp(line.slope_interval.low), std::exp(line.slope_interval.high)},
         .p_value = line.p_value,
         .reading = {}});
    ratios.back().reading = reading_of(ratios.back(), column);
  }
  return ratios;
}

}  // namespace sextant::measure
