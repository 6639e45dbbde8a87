#include "sextant/parallel/limit.h"

#include <array>

namespace sextant::parallel {

std::string to_string(Limit limit) {
  constexpr std::array kNames = {"memory", "divisibility", "batch", "shape", "network", "device", "price"};
  return kNames.at(static_cast<std::size_t>(limit));
}

}  // namespace sextant::parallel
