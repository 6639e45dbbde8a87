// The data of a federation: what each client holds, and what the server tests with.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "sextant/federated/federation.h"
#include "sextant/federated/local_model.h"
#include "sextant/federated/sampler.h"
#include "sextant/nets/graph.h"

namespace sextant::federated {

struct FederatedData {
  std::unique_ptr<input::SampleSet> train;
  Shares shares;             // of each client
  std::int64_t classes = 0;  // of the network
};

// What each client holds, by the sampler; attackers as the federation says.
Shares shares_of(const Federation& federation, const LabelledSamples& samples);
// InputError for a network that reads no images.
FederatedData open_data(const Federation& federation, const nets::Graph& graph);
// All, or as many as the federation says, evenly spread. InputError where the data set has none.
Samples read_test_samples(const Federation& federation, const nets::Graph& graph);

// Clients of a host, rising.
std::vector<std::int64_t> clients_of_host(const Federation& federation, std::int64_t host);
std::int64_t host_of(const Federation& federation, std::int64_t client);
// Of the clients' numbers of samples: processes with other data do not go together.
std::uint64_t share_checksum(const Shares& shares);

}  // namespace sextant::federated
