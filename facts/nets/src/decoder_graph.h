// The graph of a transformer from its sizes: fused attention, norms, rotated positions, gated MLPs, experts
// in one operator. Networks that frameworks run unfused stand in the zoo as such (GPT-2, BERT, T5).
#pragma once

#include "sextant/nets/network.h"

namespace sextant::nets {

Graph decoder_graph(const Decoder& decoder, const Sizes& sizes);

// A network of its own. `length`: tokens of a sequence where nobody says otherwise.
Network decoder_network(const Decoder& decoder, std::int64_t length);
// From a `config.json`, or the folder that holds one; sequences are as long as it allows, at most 4096.
Network read_decoder_network(const std::string& path);

}  // namespace sextant::nets
