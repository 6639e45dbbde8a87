// Runs of `federate` that were kept in folders, as evidence for the times of other rounds: how fast processes
// train here, what the server takes, and how many rounds an accuracy needs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sextant/ask/federation_times.h"

namespace sextant::ask {

struct MeasuredFederation {
  std::string folder;
  federated::Federation federation;
  std::vector<federated::RoundNote> rounds;
};
// InputError for a folder that holds none.
std::vector<MeasuredFederation> read_measured(const std::vector<std::string>& folders);

// Medians over the rounds but the first of each run, in which libraries warm up. Nothing where nobody
// trained.
std::optional<MeasuredComputing> measured_computing(const std::vector<MeasuredFederation>& runs);

// Does a measured run learn in as many rounds as this one would? Times and rules make no difference to that,
// but where who takes part depends on times.
bool learns_alike(const federated::Federation& measured, const federated::Federation& row);

// Rounds until the accuracy, or nothing.
std::optional<std::int64_t> rounds_until(const MeasuredFederation& run, double accuracy);

// What rounds, and their times by seed, make of the time to the target.
struct TargetTimes {
  std::vector<std::vector<double>> seconds_by_seed;  // of each round of each seed
  std::vector<std::int64_t> rounds;                  // of each measured run
};
void set_target_times(const TargetTimes& times, FederationTimes& row);

}  // namespace sextant::ask
