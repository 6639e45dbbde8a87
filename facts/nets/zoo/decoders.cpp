// Transformers by name, from the tables of facts/nets/decoders: Llama, Mistral, Qwen, Gemma, Phi, GPT,
// Falcon, DeepSeek, gpt-oss and others, each with its source.
#include "decoder_graph.h"
#include "named_decoders.h"

namespace sextant::nets::zoo_decoders {

std::vector<Network> plugin() {
  std::vector<Network> all;
  for (const NamedDecoder& named : named_decoders()) {
    Network network = decoder_network(named.decoder, named.length);
    network.summary = named.summary;
    network.reference = named.reference;
    network.aliases = named.aliases;
    if (named.published) {
      network.documented = Documented{*named.published, 0, "parameter counts of the released checkpoints"};
    }
    all.push_back(std::move(network));
  }
  return all;
}

}  // namespace sextant::nets::zoo_decoders
