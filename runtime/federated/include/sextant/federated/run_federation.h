// Runs a federation to its end: starts its processes, watches them, and starts them anew from the last round
// when one is lost. Nothing is left running, whatever happens.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "sextant/federated/federation.h"
#include "sextant/federated/round.h"
#include "sextant/measure/supervisor.h"

namespace sextant::federated {

struct RunOptions {
  std::string runner = "auto";
  std::filesystem::path worker = {};   // empty: beside this program
  std::filesystem::path scratch = {};  // this and the next: as measure::SuperviseOptions
  std::vector<std::string> wrapper = {};
  // Where rounds are kept, and gone on from if the same federation was interrupted there; empty: nowhere.
  std::filesystem::path folder = {};
  std::int64_t restarts = 3;  // without a new round in between
  std::function<bool()> interrupted = [] { return false; };
  std::function<void(const RoundNote& last)> progress = [](const RoundNote&) {};
};

struct FederationOutcome {
  std::vector<RoundNote> rounds;
  std::vector<measure::Failure> failures;
  spans::SpanSet spans = {};
  std::int64_t resumed_from = 0;  // rounds that were there before
  std::vector<std::pair<std::string, std::string>> versions = {};
  bool completed = false;
  bool interrupted = false;
};

FederationOutcome run_federation(const Federation& federation, const RunOptions& options);

}  // namespace sextant::federated
