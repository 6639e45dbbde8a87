// What clients are like: how fast they compute and send, and when they are there. Times at these speeds are
// the federation's own clock; it depends on the seed alone, not on the machine that trains.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sextant/core/parameters.h"
#include "sextant/core/rng.h"
#include "sextant/federated/federation.h"

namespace sextant::federated {

// Distributions of positive numbers: constant, uniform, lognormal, exponential, given.
const std::vector<PluginInfo>& distributions();
class Distribution {
 public:
  Distribution(const std::string& text, const SourcePos& at);  // "lognormal:median=500:sigma=0.5"
  [[nodiscard]] double of_client(std::int64_t client, Rng& rng) const;

 private:
  std::string id_;
  double first_ = 0;
  double second_ = 0;
  std::vector<double> given_ = {};
};

struct ClientTraits {
  double samples_per_s = 0;
  double bytes_per_s = 0;
};
std::vector<ClientTraits> drawn_traits(const Federation& federation);

// Time that a client takes for a round: the model comes, it trains, the update goes.
double client_seconds(const ClientTraits& traits, double trained_samples, double model_bytes);

// Clients that are there in a round, and whether one that was chosen answers.
bool is_available(const Federation& federation, std::int64_t client, std::int64_t round);
bool drops_out(const Federation& federation, std::int64_t client, std::int64_t round);

}  // namespace sextant::federated
