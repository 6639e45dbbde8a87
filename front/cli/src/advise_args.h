// What `sextant advise` takes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sextant/ask/advise.h"
#include "sextant/cli/command.h"

namespace sextant::cli {

struct AdviseArgs {
  ask::AdviseQuestion question;
  std::optional<std::string> plot;
  std::optional<std::string> out;
  std::optional<std::int64_t> top;
  bool explain = false;
};

std::vector<Option> advise_options(AdviseArgs& args);

}  // namespace sextant::cli
