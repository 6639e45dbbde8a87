// How long do the rounds of a federation take, with how many clients in each, and which deadline? Nothing is
// trained.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sextant/ask/federate.h"
#include "sextant/ask/seed_mean.h"

namespace sextant::ask {

struct FederationTimesQuestion {
  FederateQuestion federation;  // its lists hold one value; `per_round` and `deadline` are not read
  std::vector<std::int64_t> per_round = {0};  // 0: all that are there
  std::vector<std::string> deadline = {"none"};
  std::optional<std::string> server_bandwidth = {};  // that all transfers share; none: without limit
  std::string server_time = "0s";                    // rule and test of a round
};

// A number of clients and a deadline. Means over seeds, each of which draws its own clients.
struct FederationTimes {
  std::int64_t per_round = 0;
  double deadline_s = 0;  // 0: none
  SeedMean round_s;
  SeedMean all_s;            // of all rounds
  double answered = 0;       // updates of a round
  double late_share = 0;     // of the chosen
  double samples_per_s = 0;  // trained on, and in time
};

struct FederationTimesAnswer {
  std::int64_t rounds = 0;
  std::int64_t seeds = 0;
  double model_bytes = 0;
  std::vector<FederationTimes> rows;
};
FederationTimesAnswer federation_times(const FederationTimesQuestion& question);

}  // namespace sextant::ask
