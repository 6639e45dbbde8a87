// What `sextant federate` takes: its question, and where results go.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sextant/ask/federate.h"
#include "sextant/ask/federation_times.h"
#include "sextant/cli/command.h"

namespace sextant::cli {

struct FederateArgs {
  ask::FederateQuestion question;
  std::optional<std::string> spans_out;
  std::optional<std::string> plot;
  std::optional<std::string> db;
};

// Of the clients and their work, without training.
std::vector<Option> federation_size_options(ask::FederateQuestion& question);
std::vector<Option> federate_options(FederateArgs& args);

}  // namespace sextant::cli
