#include "sextant/explore/configuration_set.h"

#include <bit>
#include <cmath>

namespace sextant::explore {

std::size_t ConfigurationHash::operator()(const Configuration& configuration) const {
  std::uint64_t hash = 0xcbf29ce484222325U;  // FNV-1a over words, then mixed
  for (const double value : configuration.values) {
    const auto bits = std::isnan(value) ? ~std::uint64_t{0} : std::bit_cast<std::uint64_t>(value);
    hash = (hash ^ bits) * 0x100000001b3U;
    hash ^= hash >> 29;
  }
  return hash;
}

}  // namespace sextant::explore
