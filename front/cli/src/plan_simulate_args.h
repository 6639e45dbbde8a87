// What `sextant plan simulate` takes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sextant/ask/plan_simulate.h"
#include "sextant/cli/command.h"

namespace sextant::cli {

struct PlanSimulateArgs {
  ask::PlanSimulateQuestion question;
  std::optional<std::string> plot;
  std::optional<std::string> plot_nodes;
};

std::vector<Option> plan_simulate_options(PlanSimulateArgs& args);

}  // namespace sextant::cli
