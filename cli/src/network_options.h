// NET and its sizes, as every command that takes a network declares them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sextant/cli/command.h"
#include "sextant/nets/network.h"

namespace sextant {

struct NetworkArgs {
  std::string net;
  std::optional<std::int64_t> image;
  std::optional<std::int64_t> seq;
  std::optional<std::int64_t> classes;

  [[nodiscard]] Binding binding(std::int64_t batch) const { return {batch, image, seq, classes}; }
};

std::vector<Option> network_options(NetworkArgs& args);

}  // namespace sextant
