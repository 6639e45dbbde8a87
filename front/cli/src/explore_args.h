// What the commands of `explore` share: options, and what is refused.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sextant/ask/explore.h"
#include "sextant/cli/command.h"

namespace sextant::cli {

struct ExploreArgs {
  ask::ExploreQuestion question;
  bool no_run = false;
  bool all = false;
  std::optional<std::string> plot;
};

std::vector<Option> explore_options(ExploreArgs& args);
std::vector<Option> study_place_options(ask::StudyPlace& place);
Option required_study_option(ask::StudyPlace& place);
Option force_option(bool& force);

// Neither a study file nor a command of its own.
void refuse_no_study(const ask::ExploreQuestion& question);

}  // namespace sextant::cli
