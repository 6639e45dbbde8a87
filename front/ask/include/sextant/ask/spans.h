// What the spans of a training run say, and their other form.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "sextant/spans/analysis.h"
#include "sextant/spans/profile.h"

namespace sextant::ask {

struct SpansQuestion {
  // Perfetto or OTLP JSON; or recordings of PyTorch's profiler, one file for each rank.
  std::vector<std::string> file = {};
  std::int64_t skip = 0;                  // first iterations to leave out
  std::vector<std::string> what_if = {};  // "communication=2": so many times as fast; "input=inf": gone
};
// A recording of a profiler knows operators and kernels, and no phases: it has an analysis of its own.
using SpansAnswer = std::variant<spans::SpanAnalysis, spans::ProfileAnalysis>;
SpansAnswer analyze_spans(const SpansQuestion& question);

struct SpansConvertQuestion {
  std::vector<std::string> file = {};
  std::string to = "otlp";  // or perfetto
};
Json convert_spans(const SpansConvertQuestion& question);

}  // namespace sextant::ask
