// A decoder from a configuration that is already JSON: what a file and the table of names share.
#pragma once

#include <memory>
#include <string>

#include "sextant/core/json.h"
#include "sextant/nets/decoder.h"

namespace sextant::nets {

// InputError without file, JsonFault where a key is to blame; see read_document().
Decoder decoder_of_json(const Json& config);
// The sizes of a network whose graph the zoo writes itself.
std::shared_ptr<const Decoder> zoo_decoder(const std::string& name, const Json& config);

}  // namespace sextant::nets
