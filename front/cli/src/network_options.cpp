#include "network_options.h"

#include "kinds.h"

namespace sextant::cli {

std::vector<Option> network_options(ask::NetFields& fields) {
  return {
      {.name = "NET",
       .summary = "network of the zoo, or an ONNX file",
       .target = &fields.name,
       .positional = true,
       .required = true,
       .names = network_names},
      {.name = "image",
       .summary = "height and width of the images, in pixels",
       .target = &fields.image,
       .value_name = "N",
       .low = 1},
      {.name = "seq", .summary = "tokens in a sequence", .target = &fields.seq, .value_name = "N", .low = 1},
      {.name = "classes",
       .summary = "classes that the network tells apart",
       .target = &fields.classes,
       .value_name = "N",
       .low = 1}};
}

}  // namespace sextant::cli
