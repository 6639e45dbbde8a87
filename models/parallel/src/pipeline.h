// Pipelines: how long devices idle, how many micro-batches a stage holds, and where to cut a chain of
// layers (GPipe: Huang et al., 2019; PipeDream-Flush and interleaving: Narayanan et al., SC 2021).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sextant/core/units.h"

namespace sextant::parallel {

enum class Schedule { gpipe, one_f_one_b };

struct PipelineShape {
  std::int64_t stages = 1;
  std::int64_t micro = 1;   // micro-batches
  std::int64_t pieces = 1;  // of the network on each device: interleaving
};

// Idle time over the time without idling: (p - 1) / (v m).
double bubble_overhead(const PipelineShape& shape);
// Micro-batches whose activations the stage (from 0) holds at most, counted in whole stages: GPipe m, 1F1B
// min(p - stage, m).
double micro_in_flight(Schedule schedule, const PipelineShape& shape, std::int64_t stage);

// Cuts layers into `stages` runs, none empty, so that the longest is shortest: the smallest bound that greedy
// runs keep. Returns the first layer of each run; empty if there are fewer layers than stages.
std::vector<std::size_t> split_evenly(std::span<const Seconds> times, std::size_t stages);

// The cheapest cuts by the sum of entry costs, among those with no run longer than `longest`; empty if there
// are none.
std::vector<std::size_t> split_below(std::span<const Seconds> times, std::span<const double> entry,
                                     std::size_t stages, Seconds longest);

}  // namespace sextant::parallel
