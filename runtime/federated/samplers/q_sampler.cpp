// Clients form a group for each label. A sample goes to the group of its label with probability q, else to
// another one, and there to any client. With q = 1 / labels everything is drawn alike.
#include <algorithm>

#include "sextant/federated/sampler.h"

namespace sextant::federated::sampler_q_sampler {
namespace {

Shares share(const Parameters& parameters, const LabelledSamples& samples, std::int64_t clients, Rng rng) {
  const double q = parameters.share("q");
  const auto groups = static_cast<std::uint64_t>(std::min(samples.classes, clients));
  Shares shares(static_cast<std::size_t>(clients));
  for (std::size_t i = 0; i < samples.labels.size(); ++i) {
    const std::uint64_t own = static_cast<std::uint64_t>(samples.labels[i]) % groups;
    std::uint64_t group = own;
    if (rng.uniform() >= q && groups > 1) {
      group = rng.below(groups - 1);
      if (group >= own) ++group;
    }
    // Clients group, group + groups, group + 2 groups, ...
    const std::uint64_t members = (shares.size() - group + groups - 1) / groups;
    const std::uint64_t member = rng.below(members);
    shares[group + member * groups].push_back(static_cast<std::int64_t>(i));
  }
  return shares;
}

}  // namespace

std::vector<SamplerInfo> plugin() {
  return {{{.id = "q-sampler",
            .summary = "a group of clients for each label gets its samples with probability q",
            .reference = "Cao, Fang, Liu, Gong, FLTrust: Byzantine-robust Federated Learning via Trust "
                         "Bootstrapping, NDSS 2021, section VI",
            .parameters = {share_parameter("q", "probability that a sample goes to the group of its label",
                                           {.fallback = 0.5, .low = 0, .high = 1})}},
           {"q"},
           share}};
}

}  // namespace sextant::federated::sampler_q_sampler
