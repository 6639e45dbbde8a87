// What `sextant simulate` takes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "predict_args.h"
#include "sextant/ask/simulate.h"
#include "sextant/cli/command.h"

namespace sextant::cli {

struct SimulateArgs {
  ask::SimulateQuestion question;
  std::optional<std::string> jobs_out;
  std::optional<std::string> timeline_out;
  std::optional<std::string> plot;
  std::optional<std::string> plot_utilization;
};

std::vector<Option> simulate_options(SimulateArgs& args);

// With what the files to be written need. InputError for a file that there is nothing to write into.
ask::SimulateQuestion simulate_question(const SimulateArgs& args, const Globals& globals);

}  // namespace sextant::cli
