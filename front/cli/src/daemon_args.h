// The options of `plan daemon`.
#pragma once

#include <vector>

#include "sextant/cli/command.h"
#include "sextant/daemon/daemon.h"

namespace sextant::cli {

struct DaemonArgs {
  daemon::DaemonOptions options = {};
  std::optional<std::string> period = {};
  std::optional<double> budget = {};  // USD an hour
  bool openapi = false;               // print what it answers, and no more
};

std::vector<Option> daemon_args_options(DaemonArgs& args);
daemon::DaemonOptions daemon_options(const DaemonArgs& args);

}  // namespace sextant::cli
