// Transformers by name: facts/nets/decoders/*.json, which hold configurations as Hugging Face writes them,
// with what people want to know besides.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sextant/nets/decoder.h"

namespace sextant::nets {

struct NamedDecoder {
  Decoder decoder;
  std::string summary;
  std::string reference;
  std::vector<std::string> aliases;
  std::int64_t length = 0;                // tokens of a sequence, unless somebody says otherwise
  std::optional<std::int64_t> published;  // parameters, by the checkpoint
};

const std::vector<NamedDecoder>& named_decoders();

}  // namespace sextant::nets
