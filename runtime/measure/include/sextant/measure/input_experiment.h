// How fast can this machine read training data? Throughput over format, batch size, batch count, data-set
// size, prefetch and cache, repeated and interleaved; then, for each factor, a line through the points with
// its uncertainty. docs/models/input-throughput.md says what is measured and what is not.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "sextant/core/progress.h"
#include "sextant/input/sample_set.h"
#include "sextant/stats/interval.h"

namespace sextant::measure {

struct InputDesign {
  // images (JPEG), images-png, images-ppm, records, records-zlib; the first is what others are compared with
  std::vector<std::string> formats = {"images", "records"};
  std::vector<std::int64_t> batches = {16, 64};      // samples
  std::vector<std::int64_t> batch_counts = {8, 32};  // read in one measurement
  std::vector<std::int64_t> samples = {256, 1024};   // of the data set
  std::vector<std::int64_t> prefetch = {0, 4};
  std::vector<std::int64_t> cache = {0,
                                     1};  // 1: decoded samples are kept, from a first epoch that is not timed
  std::int64_t repetitions = 3;
  input::SampleShape shape{3, 64, 64};
  std::string data = "synthetic";  // what fills the files; or another data set that has enough samples
  std::filesystem::path scratch =
      {};  // files are made below it, and removed; empty: the system's folder for such
  std::uint64_t seed = 0;
  double budget_s = 300;
};

struct InputPoint {
  std::string format;
  std::int64_t batch = 0;
  std::int64_t batch_count = 0;
  std::int64_t samples = 0;
  std::int64_t prefetch = 0;
  std::int64_t cache = 0;
  std::vector<double> samples_per_s;  // one for each repetition
  std::vector<double> bytes_per_s;    // of decoded values
};

// Throughput against one factor, over all points. Rows are the means of points; where this factor alone
// varies, single measurements.
struct FactorLine {
  std::string factor;  // "batch", "format: records"
  double intercept = 0;
  double slope = 0;                // samples/s for one unit of the factor; formats: records against images
  stats::Interval slope_interval;  // 95 %
  double p_value = 1;
  std::string reading;  // in words; a large p is "these data do not show whether …", never "no effect"
};

// How many times as fast the highest level of a factor is as the lowest, the others being equal: from one
// regression of the logarithm of throughput on all factors, since what multiplies throughput drowns in a sum.
struct FactorRatio {
  std::string factor;
  std::string low;   // level: "0", "images"
  std::string high;  // "4", "records"
  double ratio = 1;
  stats::Interval ratio_interval;  // 95 %
  double p_value = 1;
  std::string reading;
};

struct InputReport {
  std::vector<InputPoint> points;
  std::vector<FactorLine> lines;  // each factor alone; those with one level are left out
  std::vector<FactorLine>
      joint;  // all factors in one regression: what is left of each when the others are known
  std::vector<FactorRatio> ratios;
  std::vector<std::string> notes;  // page cache, readers, what the budget left out
  bool complete = true;            // false: the budget ended first
};

// InputError for a design that cannot be measured, SystemError where the disk fails; files are removed then
// too.
InputReport measure_input(const InputDesign& design, Progress& progress);

}  // namespace sextant::measure
