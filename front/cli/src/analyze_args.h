// Options of `sextant analyze`: its question, and what is shown of the answer.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sextant/ask/analyze.h"
#include "sextant/cli/command.h"

namespace sextant::cli {

struct AnalyzeArgs {
  ask::AnalyzeQuestion question;
  std::vector<std::string> show;
  bool all = false;
  std::optional<std::string> plot;
  std::optional<std::string> plot_all;  // a folder
};

std::vector<Option> analyze_options(AnalyzeArgs& args);

}  // namespace sextant::cli
