// What `sextant collective` takes, and the systems that its options name.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sextant/catalog/catalog.h"
#include "sextant/cli/command.h"
#include "sextant/collectives/calibration.h"
#include "sextant/collectives/system.h"

namespace sextant {

struct CollectiveArgs {
  std::vector<std::string> systems;
  std::vector<std::string> machines;
  std::optional<std::string> link;
  std::optional<std::string> network;
  std::vector<std::string> operations = {"all-reduce"};
  std::vector<std::int64_t> gpus;
  std::vector<std::int64_t> nodes;
  std::vector<std::int64_t> count;
  std::vector<std::string> bytes = {"1MiB", "64MiB"};
  std::vector<std::string> algorithms;
  std::vector<std::string> system_files;
  std::optional<std::string> model;
  std::optional<std::string> cases;
  std::optional<std::string> out;
};

std::vector<Option> collective_options(CollectiveArgs& args);

// The calibration of --model, or the one that ships.
Calibration calibration_of(const CollectiveArgs& args);
// What --system, --machine and --link name, in that order. InputError where they name nothing.
std::vector<System> systems_asked(const CollectiveArgs& args, const Systems& systems, const Catalog& catalog);

int collective_cases(const CollectiveArgs& args, const Io& io, const Globals& globals);

}  // namespace sextant
