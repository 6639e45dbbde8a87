// Reads the `config.json` that Hugging Face keeps beside the weights of a transformer, as it is: the family
// (`model_type`) decides which keys mean what, and which values stand for keys that are left out. Keys that
// say nothing of sizes are ignored.
#pragma once

#include <string>
#include <vector>

#include "sextant/core/parameters.h"
#include "sextant/core/registry.h"
#include "sextant/nets/decoder.h"

namespace sextant::nets {

class ConfigReader;

// A family of transformers: one file of facts/nets/families. `id` is the `model_type`, with - for _.
struct DecoderFamily : PluginInfo {
  static constexpr PluginKind kKind = {"family", "families",
                                       "families of transformers that are read from a config.json",
                                       "family of transformers"};

  std::vector<std::string> aliases = {};
  Decoder (*read)(const ConfigReader&) = nullptr;
};
const Registry<DecoderFamily>& decoder_families();

// InputError with file, key and hint for what is missing, of another type, out of range, or contradicts
// something else. The decoder's name is that of the file; of `dir/config.json`, that of the folder.
Decoder read_decoder_config(const std::string& path);
Decoder parse_decoder_config(const std::string& text, const std::string& file_name);

}  // namespace sextant::nets
