// Parameter servers: waiting for stragglers, and how parameters are dealt to servers of equal or unequal
// speed (Li et al., OSDI 2014; PSLD: Chen et al., SoCC 2020; the rules of dealing are ours).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sextant/core/units.h"

namespace sextant::parallel {

// H_n = 1 + 1/2 + ... + 1/n
double harmonic(std::int64_t n);
// Until all but `backups` of the workers are done, if each takes an exponential time of mean `tail` beyond
// the common one: (H_W - H_k) tail.
Seconds expected_slowest(Seconds tail, std::int64_t workers, std::int64_t backups = 0);

// Workers per second, if none waits for another.
Hertz asynchronous_rate(std::span<const Seconds> cycles);

std::vector<Bytes> equal_shards(Bytes model, std::size_t servers);
// PSLD: in proportion to the measured rates.
std::vector<Bytes> proportional_shards(Bytes model, std::span<const Bandwidth> rates);
// Whole tensors, those above M / (4 S) sliced; the largest first, each to the emptiest server.
std::vector<Bytes> tensor_shards(std::span<const Bytes> tensors, std::size_t servers);
// In one direction, until the last server has served all workers.
Seconds shards_time(std::span<const Bytes> shards, std::span<const Bandwidth> rates, double workers);

}  // namespace sextant::parallel
