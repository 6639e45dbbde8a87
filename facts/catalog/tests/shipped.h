// The catalogue that ships, read once, and prices as people quote them.
#pragma once

#include "sextant/catalog/catalog.h"

namespace sextant::catalog {

inline const Catalog& builtin() {
  static const Catalog catalog = builtin_catalog();
  return catalog;
}

inline DollarRate per_hour(double dollars) {
  return DollarRate{dollars / 3600};
}

}  // namespace sextant::catalog
