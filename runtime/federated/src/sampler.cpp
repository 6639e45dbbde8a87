#include "sextant/federated/sampler.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "sextant/core/plugin_text.h"

namespace sextant::federated {

Shares share_out(const std::string& sampler, const LabelledSamples& samples, std::int64_t clients,
                 std::uint64_t seed) {
  const SourcePos at = at_field("sampler");
  const PluginText text = split_plugin_text(sampler, at);
  const SamplerInfo& info = samplers().get(text.id, at);
  Shares shares = info.share(parameters_of(info, text, at), samples, clients, Rng(seed).stream("sampler"));
  for (std::vector<std::int64_t>& share : shares) std::ranges::sort(share);
  return shares;
}

std::vector<std::vector<std::int64_t>> samples_by_label(const LabelledSamples& samples) {
  std::vector<std::vector<std::int64_t>> by_label(static_cast<std::size_t>(samples.classes));
  for (std::size_t i = 0; i < samples.labels.size(); ++i) {
    by_label.at(static_cast<std::size_t>(samples.labels[i])).push_back(static_cast<std::int64_t>(i));
  }
  return by_label;
}

void shuffle(std::vector<std::int64_t>& items, Rng& rng) {
  for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[rng.below(i)]);
}

void deal_by_share(std::span<const std::int64_t> items, std::span<const double> shares,
                   std::span<std::vector<std::int64_t>* const> to) {
  const double total = std::accumulate(shares.begin(), shares.end(), 0.0);
  if (!(total > 0)) throw std::logic_error("shares that sum up to nothing");
  const auto count = static_cast<double>(items.size());
  double sum = 0;
  std::size_t first = 0;
  for (std::size_t k = 0; k < shares.size(); ++k) {
    sum += shares[k];
    const bool last = k + 1 == shares.size();
    const auto end =
        last ? items.size()
             : std::min(items.size(), static_cast<std::size_t>(std::llround(count * sum / total)));
    for (; first < end; ++first) to[k]->push_back(items[first]);
  }
}

}  // namespace sextant::federated
