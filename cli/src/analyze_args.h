// Options of `sextant analyze`, and what they ask of the library.
#pragma once

#include "sextant/cli/command.h"
#include "sextant/explore/analysis/analysis.h"

namespace sextant {

struct AnalyzeArgs {
  std::string input;
  std::string response;
  std::vector<std::string> factors;
  std::vector<std::string> without;
  std::optional<std::string> study;
  std::optional<std::string> group;
  std::optional<std::string> censored;
  std::optional<std::string> scaling;
  std::optional<std::string> svg;
  std::optional<std::int64_t> order;
  std::vector<std::string> show;
  std::vector<std::string> differences;
  std::string sums = "II";
  double level = 0.95;
  double power = 0.8;
  std::int64_t top = 5;
  bool maximise = false;
  bool log = false;
  bool all = false;
};

std::vector<Option> analyze_options(AnalyzeArgs& args);
AnalysisRequest analysis_request(const AnalyzeArgs& args);
AnalysisOptions analysis_options(const AnalyzeArgs& args, std::int64_t seed);

}  // namespace sextant
