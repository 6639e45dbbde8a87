// Samplers share a data set out to clients, one file each in runtime/federated/samplers. Every sample is
// given to one client; the same seed gives the same shares.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sextant/core/registry.h"
#include "sextant/core/rng.h"

namespace sextant::federated {

struct LabelledSamples {
  std::span<const std::int64_t> labels;  // of sample 0, 1, ...
  std::int64_t classes = 0;
};

using Shares = std::vector<std::vector<std::int64_t>>;  // samples of each client, rising

struct SamplerInfo : PluginInfo {
  static constexpr PluginKind kKind = {"sampler", "samplers", "how a data set is shared out to clients",
                                       "sampler"};

  std::vector<std::string> aliases = {};
  Shares (*share)(const Parameters&, const LabelledSamples&, std::int64_t clients, Rng rng) = nullptr;
};
const Registry<SamplerInfo>& samplers();

// By its text: "dirichlet:alpha=0.5". A client may be left without samples.
Shares share_out(const std::string& sampler, const LabelledSamples& samples, std::int64_t clients,
                 std::uint64_t seed);

// For samplers.
std::vector<std::vector<std::int64_t>> samples_by_label(const LabelledSamples& samples);
void shuffle(std::vector<std::int64_t>& items, Rng& rng);
// Cut in as many parts as there are shares, the k-th of them as long as shares[k] of the whole.
void deal_by_share(std::span<const std::int64_t> items, std::span<const double> shares,
                   std::span<std::vector<std::int64_t>* const> to);

}  // namespace sextant::federated
