// How long do the rounds of a federation take, with how many clients in each, which deadline, and which
// policy towards the slow; and, with runs that were really trained, how long does an accuracy take? Nothing
// is trained.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sextant/ask/federate.h"
#include "sextant/ask/seed_mean.h"

namespace sextant::ask {

struct FederationTimesQuestion {
  // Its lists but `strategy` hold one value; `per_round`, `deadline` and `over_select` are not read, and
  // `hosts` is not the number of processes that really train. `speed` may be "measured".
  FederateQuestion federation;
  std::vector<std::int64_t> per_round = {0};  // 0: all that are there
  std::vector<std::string> deadline = {"none"};
  std::vector<std::string> over_select = {"0"};
  std::optional<std::string> server_bandwidth = {};  // that all transfers share; none: without limit
  std::string server_time = "0s";                    // rule and test of a round; "measured"
  std::int64_t hosts = 0;                            // processes that clients live in; 0: one for each
  double cores = 0;                                  // that they share; 0: without limit
  std::vector<std::string> measured = {};            // folders of runs of `federate`
};

// A policy. Means over seeds, each of which draws its own clients.
struct FederationTimes {
  std::string strategy;
  std::int64_t per_round = 0;
  double over_select = 0;
  double deadline_s = 0;  // 0: none
  SeedMean round_s;
  SeedMean all_s;                     // of all rounds
  double answered = 0;                // updates of a round
  double late_share = 0;              // of the chosen
  double dropped_share = 0;           // of the chosen
  double samples_per_s = 0;           // trained on, and in time
  std::vector<double> rounds_s = {};  // each round of the first seed

  std::int64_t runs = 0;                        // measured, that learn as this row does
  std::int64_t runs_at_target = 0;              // that reached the target
  std::optional<double> rounds_to_target = {};  // their mean, where all did
  std::optional<double> target_s = {};
  std::optional<double> target_from_s = {};  // of one more run with other clients; none with too few runs
  std::optional<double> target_to_s = {};
};

// What runs that were really trained say of computing.
struct MeasuredComputing {
  double samples_per_s = 0;  // of one process that trains
  double server_s = 0;       // rule and test of a round
};

struct FederationTimesAnswer {
  std::int64_t rounds = 0;
  std::int64_t seeds = 0;
  double model_bytes = 0;
  double target = 0;
  std::vector<FederationTimes> rows;
  std::optional<MeasuredComputing> measured = {};
};
FederationTimesAnswer federation_times(const FederationTimesQuestion& question);

}  // namespace sextant::ask
