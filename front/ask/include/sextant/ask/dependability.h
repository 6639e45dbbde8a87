// What the recorded failures of a cluster do to a job that writes checkpoints: how much of its time counts,
// and how often it should write them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sextant/failures/burstiness.h"
#include "sextant/failures/forecast.h"

namespace sextant::ask {

struct DependabilityQuestion {
  std::string log = {};                            // CSV of failures
  std::vector<std::int64_t> nodes = {};            // of the job
  std::optional<std::int64_t> cluster_nodes = {};  // where the log does not say
  std::optional<std::string> system = {};          // where the log has several
  std::string checkpoint_cost = "2min";
  std::string restart = "15min";
  std::vector<std::string> checkpoint = {};  // times between checkpoints, besides the rules'
  std::optional<double> split = {};          // forecast from this share of the log's time, replay the rest
  std::uint64_t seed = 0;
};

// A job of so many nodes that writes a checkpoint so often.
struct DependabilityRow {
  std::int64_t nodes = 0;
  std::string rule;  // "young", "daly", "best" or "given"
  Seconds every{};
  double closed_form = 0;  // goodput, by Daly's formula
  failures::Forecast forecast;
  std::optional<double> replayed = {};  // goodput in the rest of the log
  std::optional<double> lost = {};      // of that, against the best of all times in hindsight
};

struct DependabilityAnswer {
  failures::FailureLog log;                             // that is forecast from
  std::optional<failures::Burstiness> burstiness = {};  // nothing where failures are too few to tell
  std::vector<DependabilityRow> rows;
  std::vector<std::string> warnings = {};
};

// InputError at fields `log`, `system`, `nodes`, `split`, and as the reader of logs.
DependabilityAnswer dependability(const DependabilityQuestion& question);

}  // namespace sextant::ask
