// Every client draws from the same distribution: the samples are shuffled and dealt out evenly.
#include <numeric>

#include "sextant/federated/sampler.h"

namespace sextant::federated::sampler_iid {
namespace {

Shares share(const Parameters&, const LabelledSamples& samples, std::int64_t clients, Rng rng) {
  std::vector<std::int64_t> order(samples.labels.size());
  std::iota(order.begin(), order.end(), 0);
  shuffle(order, rng);
  Shares shares(static_cast<std::size_t>(clients));
  for (std::size_t i = 0; i < order.size(); ++i) shares[i % shares.size()].push_back(order[i]);
  return shares;
}

}  // namespace

std::vector<SamplerInfo> plugin() {
  return {{{.id = "iid",
            .summary = "samples are shuffled and dealt out evenly",
            .reference = "McMahan et al., Communication-Efficient Learning of Deep Networks from "
                         "Decentralized Data, AISTATS 2017"},
           {"uniform"},
           share}};
}

}  // namespace sextant::federated::sampler_iid
