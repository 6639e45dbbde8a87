// What `sextant collective` takes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sextant/ask/collectives.h"
#include "sextant/cli/command.h"

namespace sextant::cli {

struct CollectiveArgs {
  ask::CollectiveTimesQuestion question;
  std::optional<std::string> cases;
  std::optional<std::string> out;
};

std::vector<Option> collective_options(CollectiveArgs& args);

}  // namespace sextant::cli
