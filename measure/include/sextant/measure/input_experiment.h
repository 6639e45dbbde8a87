// How fast can this machine read training data? Throughput over format, batch size, batch count, data-set
// size, prefetch and cache, repeated and interleaved; then, for each factor, a line through the points with
// its uncertainty.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "sextant/core/progress.h"
#include "sextant/core/stats/interval.h"
#include "sextant/input/sample_set.h"

namespace sextant {

struct InputDesign {
  std::vector<std::string> formats = {"images", "records"};
  std::vector<std::int64_t> batches = {16, 64};      // samples
  std::vector<std::int64_t> batch_counts = {8, 32};  // read in one measurement
  std::vector<std::int64_t> samples = {256, 1024};   // of the data set
  std::vector<std::int64_t> prefetch = {0, 4};
  std::vector<std::int64_t> cache = {0, 1};  // 1: decoded samples are kept
  std::int64_t repetitions = 3;
  SampleShape shape{3, 64, 64};
  std::string data = "synthetic";  // what fills the files; or a folder of images
  std::filesystem::path scratch;   // files are made here, and removed
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

// Throughput against one factor, over all points.
struct FactorLine {
  std::string factor;
  double intercept = 0;
  double slope = 0;         // samples/s for one unit of the factor; formats: records against images
  Interval slope_interval;  // 95 %
  double p_value = 1;
  std::string reading;  // "evidence that …", "no evidence either way: …", never "no effect"
};

struct InputReport {
  std::vector<InputPoint> points;
  std::vector<FactorLine> lines;
  bool complete = true;  // false: the budget ended first
};

InputReport measure_input(const InputDesign& design, Progress& progress);

}  // namespace sextant
