// What the spans of a training run say, and their other form.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sextant/spans/analysis.h"

namespace sextant::ask {

struct SpansQuestion {
  std::string file = {};                  // Perfetto or OTLP JSON
  std::int64_t skip = 0;                  // first iterations to leave out
  std::vector<std::string> what_if = {};  // "communication=2": so many times as fast; "input=inf": gone
};
spans::SpanAnalysis analyze_spans(const SpansQuestion& question);

struct SpansConvertQuestion {
  std::string file = {};
  std::string to = "otlp";  // or perfetto
};
Json convert_spans(const SpansConvertQuestion& question);

}  // namespace sextant::ask
