// Parameter servers: what a synchronous step takes, waiting for stragglers, how parameters are dealt to
// servers of equal or unequal speed, and when moving them pays (Li et al., OSDI 2014; PSLD: Chen et al.,
// SoCC 2020; the rules of dealing and moving are ours).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sextant/core/units.h"

namespace sextant::parallel {

struct ServerStep {
  Bytes model;
  double workers = 1;
  double servers = 1;
  Bandwidth worker_rate;  // per direction
  Bandwidth server_rate;
  Seconds compute;      // of the slowest worker
  Seconds update = {};  // of the whole model, divided between the servers
};

// Synchronous, servers of their own: t + 2 max(M / b_w, W M / (S b_s)) + t_upd / S.
Seconds dedicated_step(const ServerStep& step);
// Synchronous, a server beside each worker: t + 2 (W - 1) / W M / b + t_upd / W, as a ring.
Seconds colocated_step(const ServerStep& step);

// H_n = 1 + 1/2 + ... + 1/n
double harmonic(std::int64_t n);
// Until all but `backups` of the workers are done, if each takes an exponential time of mean `tail` beyond
// the common one: (H_W - H_k) tail.
Seconds expected_slowest(Seconds tail, std::int64_t workers, std::int64_t backups = 0);

// Workers per second: all wait for the slowest, or none waits.
Hertz synchronous_rate(std::span<const Seconds> cycles);
Hertz asynchronous_rate(std::span<const Seconds> cycles);

std::vector<Bytes> equal_shards(Bytes model, std::size_t servers);
// PSLD: in proportion to the measured rates.
std::vector<Bytes> proportional_shards(Bytes model, std::span<const Bandwidth> rates);
// Whole tensors, those above M / (4 S) sliced; the largest first, each to the emptiest server.
std::vector<Bytes> tensor_shards(std::span<const Bytes> tensors, std::size_t servers);
// In one direction, until the last server has served all workers.
Seconds shards_time(std::span<const Bytes> shards, std::span<const Bandwidth> rates, double workers);

// Exponentially weighted average of a server's rate: the newest counts `weight`.
Bandwidth average_rate(Bandwidth before, Bandwidth newest, double weight);

struct Move {
  Seconds now;    // a step as it is
  Seconds after;  // and with the parameters moved
  Seconds cost;   // of moving them
  double steps = 0;
  double hysteresis = 0.05;  // a smaller gain is taken for noise
};
bool worth_moving(const Move& move);

}  // namespace sextant::parallel
