#include "sextant/federated/federated_data.h"

#include <algorithm>

namespace sextant::federated {
namespace {

input::SampleSetRequest request_for(const Federation& federation, const nets::Graph& graph,
                                    input::Split split) {
  const nets::Network network = nets::find_network(federation.net, at_field("net"));
  for (const nets::Node& node : graph.nodes) {
    if (network.input != nets::InputKind::image || !std::holds_alternative<nets::Input>(node.op)) continue;
    if (node.output.size() != 4) break;
    return {.name = federation.data,
            .split = split,
            .shape = {node.output[1], node.output[2], node.output[3]},
            .classes = bind(network, federation.sizes).classes,
            .seed = federation.seed};
  }
  throw InputError(at_field("net"), "network '" + federation.net + "' does not read images",
                   "clients train on images: take flanders-mlp or lenet5");
}

std::vector<std::int64_t> labels_of(const input::SampleSet& set) {
  std::vector<std::int64_t> labels;
  std::vector<float> values(static_cast<std::size_t>(set.shape().values()));
  for (std::int64_t i = 0; i < set.size(); ++i) labels.push_back(set.read(i, values));
  return labels;
}

}  // namespace

Shares shares_of(const Federation& federation, const LabelledSamples& samples) {
  if (federation.attackers_hold != "iid")
    return share_out(federation.sampler, samples, federation.clients, federation.seed);
  const std::vector<bool> attacks = drawn_attackers(federation);
  const auto bad = std::ranges::count(attacks, true);
  const std::int64_t good = federation.clients - bad;
  const Shares honest = share_out(federation.sampler, samples, good, federation.seed);
  const Shares mixed = share_out("iid", samples, good, federation.seed);
  Shares shares;
  std::size_t next_bad = 0;
  std::size_t next_good = 0;
  for (const bool attacker : attacks) {
    shares.push_back(attacker ? mixed[next_bad++ % mixed.size()] : honest[next_good++]);
  }
  return shares;
}

FederatedData open_data(const Federation& federation, const nets::Graph& graph) {
  const input::SampleSetRequest request = request_for(federation, graph, input::Split::train);
  FederatedData data{
      .train = open_sample_set(request, at_field("data")), .shares = {}, .classes = request.classes};
  const std::vector<std::int64_t> labels = labels_of(*data.train);
  data.shares = shares_of(federation, {labels, data.train->classes()});
  return data;
}

Samples read_test_samples(const Federation& federation, const nets::Graph& graph) {
  if (!input::has_test_split(federation.data)) {
    throw InputError(at_field("data"), "'" + federation.data + "' has no samples to test the model with",
                     "a folder needs test/ beside train/, a record file x.sxr needs x.test.sxr");
  }
  const auto set = open_sample_set(request_for(federation, graph, input::Split::test), at_field("data"));
  const std::int64_t wanted = federation.test_samples == 0 ? set->size() : federation.test_samples;
  const std::int64_t count = std::min(wanted, set->size());
  std::vector<std::int64_t> which;
  for (std::int64_t i = 0; i < count; ++i) which.push_back(i * set->size() / count);
  return read_samples(*set, which);
}

std::int64_t host_of(const Federation& federation, std::int64_t client) {
  return client % federation.hosts;
}

std::vector<std::int64_t> clients_of_host(const Federation& federation, std::int64_t host) {
  std::vector<std::int64_t> clients;
  for (std::int64_t client = host; client < federation.clients; client += federation.hosts)
    clients.push_back(client);
  return clients;
}

std::uint64_t share_checksum(const Shares& shares) {
  std::uint64_t sum = shares.size();
  for (const auto& share : shares) {
    sum = sum * 0x100000001b3U ^ share.size();
    for (const std::int64_t sample : share) sum = sum * 0x100000001b3U ^ static_cast<std::uint64_t>(sample);
  }
  return sum;
}

}  // namespace sextant::federated
