// Each client holds a few labels, and those who hold the same label share its samples evenly.
#include <numeric>

#include "sextant/federated/sampler.h"

namespace sextant::federated::sampler_limited_labels {
namespace {

// The owners of each label. Labels are handed out from a pile that is shuffled anew when it is used up, so
// each has an owner as soon as all clients together hold as many as there are.
std::vector<std::vector<std::int64_t>> owners(std::int64_t labels, std::int64_t clients, std::int64_t each,
                                              Rng& rng) {
  std::vector<std::vector<std::int64_t>> of_label(static_cast<std::size_t>(labels));
  std::vector<std::int64_t> pile;
  for (std::int64_t client = 0; client < clients; ++client) {
    std::vector<std::int64_t> put_back;
    for (std::int64_t held = 0; held < each;) {
      if (pile.empty()) {
        pile.resize(static_cast<std::size_t>(labels));
        std::iota(pile.begin(), pile.end(), 0);
        shuffle(pile, rng);
      }
      const std::int64_t label = pile.back();
      pile.pop_back();
      std::vector<std::int64_t>& list = of_label[static_cast<std::size_t>(label)];
      if (!list.empty() && list.back() == client) {  // it holds this one already
        put_back.push_back(label);
        continue;
      }
      list.push_back(client);
      ++held;
    }
    pile.insert(pile.end(), put_back.begin(), put_back.end());
  }
  return of_label;
}

Shares share(const Parameters& parameters, const LabelledSamples& samples, std::int64_t clients, Rng rng) {
  const std::int64_t each = parameters.count("labels");
  if (each > samples.classes || each * clients < samples.classes) {
    throw InputError(at_field("sampler"),
                     std::to_string(clients) + " clients of " + std::to_string(each) +
                         " labels each cannot share out " + std::to_string(samples.classes) + " labels",
                     each > samples.classes ? "take fewer labels for each client"
                                            : "take more clients, or more labels for each");
  }
  const auto of_label = owners(samples.classes, clients, each, rng);
  auto by_label = samples_by_label(samples);
  Shares shares(static_cast<std::size_t>(clients));
  for (std::size_t label = 0; label < by_label.size(); ++label) {
    shuffle(by_label[label], rng);
    const std::vector<std::int64_t>& own = of_label[label];
    for (std::size_t i = 0; i < by_label[label].size(); ++i) {
      shares[static_cast<std::size_t>(own[i % own.size()])].push_back(by_label[label][i]);
    }
  }
  return shares;
}

}  // namespace

std::vector<SamplerInfo> plugin() {
  return {{{.id = "limited-labels",
            .summary = "each client holds a few labels; those who hold one share it evenly",
            .reference = "the limit-labels sampler of the FLTK testbed (JMGaljaard/fltk-testbed)",
            .parameters = {count_parameter("labels", "labels of each client", {2, 1, 1e6})}},
           {"limit-labels"},
           share}};
}

}  // namespace sextant::federated::sampler_limited_labels
