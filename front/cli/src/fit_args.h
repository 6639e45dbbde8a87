// What `sextant fit` takes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sextant/ask/fit.h"
#include "sextant/cli/command.h"

namespace sextant::cli {

struct FitArgs {
  ask::FitQuestion question;
  std::string out;
  std::optional<std::string> plot;
};

std::vector<Option> fit_options(FitArgs& args);

}  // namespace sextant::cli
