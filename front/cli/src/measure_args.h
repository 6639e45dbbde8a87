// What `sextant measure` takes: its question, and where results go.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sextant/ask/measure.h"
#include "sextant/cli/command.h"

namespace sextant::cli {

struct MeasureArgs {
  ask::MeasureQuestion question;
  std::optional<std::string> spans_out;
  std::string spans_format = "perfetto";
  std::optional<std::string> db;
};

std::vector<Option> measure_options(MeasureArgs& args);

}  // namespace sextant::cli
