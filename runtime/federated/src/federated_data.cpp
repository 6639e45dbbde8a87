#include "sextant/federated/federated_data.h"

#include <numeric>

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

FederatedData open_data(const Federation& federation, const nets::Graph& graph) {
  const input::SampleSetRequest request = request_for(federation, graph, input::Split::train);
  FederatedData data{
      .train = open_sample_set(request, at_field("data")), .shares = {}, .classes = request.classes};
  const std::vector<std::int64_t> labels = labels_of(*data.train);
  data.shares =
      share_out(federation.sampler, {labels, data.train->classes()}, federation.clients, federation.seed);
  return data;
}

Samples read_test_samples(const Federation& federation, const nets::Graph& graph) {
  if (!input::has_test_split(federation.data)) {
    throw InputError(at_field("data"), "'" + federation.data + "' has no samples to test the model with",
                     "a folder needs test/ beside train/, a record file x.sxr needs x.test.sxr");
  }
  const auto set = open_sample_set(request_for(federation, graph, input::Split::test), at_field("data"));
  std::vector<std::int64_t> all(static_cast<std::size_t>(set->size()));
  std::iota(all.begin(), all.end(), 0);
  return read_samples(*set, all);
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
