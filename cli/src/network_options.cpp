#include "network_options.h"

#include "kinds.h"

namespace sextant {

std::vector<Option> network_options(NetworkArgs& args) {
  return {
      {.name = "NET",
       .summary = "network of the zoo, or an ONNX file",
       .target = &args.net,
       .positional = true,
       .required = true,
       .names = network_names},
      {.name = "image",
       .summary = "height and width of the images, in pixels",
       .target = &args.image,
       .value_name = "N",
       .low = 1},
      {.name = "seq", .summary = "tokens in a sequence", .target = &args.seq, .value_name = "N", .low = 1},
      {.name = "classes",
       .summary = "classes that the network tells apart",
       .target = &args.classes,
       .value_name = "N",
       .low = 1}};
}

}  // namespace sextant
