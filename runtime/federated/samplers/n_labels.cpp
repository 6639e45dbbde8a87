// Samples are sorted by label and cut into equal pieces, and each client gets n of them: all clients have as
// many samples, of n labels or a few more.
#include <numeric>

#include "sextant/federated/sampler.h"

namespace sextant::federated::sampler_n_labels {
namespace {

Shares share(const Parameters& parameters, const LabelledSamples& samples, std::int64_t clients, Rng rng) {
  const std::int64_t pieces = clients * parameters.count("n");
  const auto count = static_cast<std::int64_t>(samples.labels.size());
  if (pieces > count) {
    throw InputError(
        at_field("sampler"),
        std::to_string(count) + " samples cannot be cut into " + std::to_string(pieces) + " pieces",
        "take fewer clients or fewer pieces for each");
  }
  std::vector<std::int64_t> sorted;
  for (std::vector<std::int64_t>& items : samples_by_label(samples)) {
    shuffle(items, rng);
    sorted.insert(sorted.end(), items.begin(), items.end());
  }
  std::vector<std::int64_t> order(static_cast<std::size_t>(pieces));
  std::iota(order.begin(), order.end(), 0);
  shuffle(order, rng);
  Shares shares(static_cast<std::size_t>(clients));
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::int64_t first = order[i] * count / pieces;
    const std::int64_t last = (order[i] + 1) * count / pieces;
    auto& own = shares[i % shares.size()];
    own.insert(own.end(), sorted.begin() + first, sorted.begin() + last);
  }
  return shares;
}

}  // namespace

std::vector<SamplerInfo> plugin() {
  return {{{.id = "n-labels",
            .summary = "samples sorted by label are cut into equal pieces, n for each client",
            .reference = "McMahan et al., Communication-Efficient Learning of Deep Networks from "
                         "Decentralized Data, AISTATS 2017, section 3",
            .parameters = {count_parameter("n", "pieces of each client", {2, 1, 1e6})}},
           {"shards"},
           share}};
}

}  // namespace sextant::federated::sampler_n_labels
