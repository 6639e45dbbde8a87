// What one round of a trial says: times of its iterations, over all workers.
#pragma once

#include <string>
#include <vector>

#include "machine_state.h"
#include "sextant/measure/campaign.h"

namespace sextant::measure {

struct RoundTimes {
  std::vector<double> slowest;                 // of each iteration that counts
  std::vector<IterationTimes> mean_worker;     // of the same
  std::vector<std::vector<double>> by_worker;  // totals of the same
  std::vector<double> losses;                  // of every iteration, mean of workers
  WireBytes bytes;                             // of one worker and iteration, mean
  std::size_t dropped = 0;
  bool settled = true;
  MachineUse use;
};

// Of a round that was completed.
RoundTimes read_round(const Trial& trial, const TrialOutcome& outcome);

// Everything but trial, last and warnings; rounds without times count as rounds only.
void summarize_rounds(const std::vector<RoundTimes>& rounds, double precision, TrialResult& result);

// What a reader of the result has to know, each a sentence with advice.
std::vector<std::string> result_warnings(const std::vector<RoundTimes>& rounds, const TrialResult& result,
                                         double precision);

}  // namespace sextant::measure
