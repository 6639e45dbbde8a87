// How fast can training data be read here, and what does it depend on?
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sextant/core/progress.h"
#include "sextant/measure/input_experiment.h"

namespace sextant::ask {

struct MeasureInputQuestion {
  std::vector<std::string> formats = measure::InputDesign{}.formats;
  std::vector<std::int64_t> batch = measure::InputDesign{}.batches;         // samples
  std::vector<std::int64_t> batches = measure::InputDesign{}.batch_counts;  // read in a row
  std::vector<std::int64_t> samples = measure::InputDesign{}.samples;       // of the data set
  std::vector<std::int64_t> prefetch = measure::InputDesign{}.prefetch;
  std::vector<std::int64_t> cache = measure::InputDesign{}.cache;  // 1: decoded samples are kept
  std::int64_t repetitions = measure::InputDesign{}.repetitions;
  std::int64_t image = 64;  // height and width
  std::string data = measure::InputDesign{}.data;
  std::optional<std::string> scratch = {};
  std::string budget = "5min";
  std::uint64_t seed = 0;
};

struct MeasureInputAnswer {
  measure::InputReport report;
  std::vector<std::string> warnings = {};
};

// Reads every combination of the lists, repetitions in a drawn order.
MeasureInputAnswer measure_input(const MeasureInputQuestion& question, Progress& progress);

}  // namespace sextant::ask
