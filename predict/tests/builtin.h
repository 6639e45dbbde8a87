// The built-in catalogue, read once for all tests of the module.
#pragma once

#include <string>

#include "sextant/catalog/catalog.h"

namespace sextant::test {

inline const Catalog& catalog() {
  static const Catalog built_in = builtin_catalog();
  return built_in;
}

inline const Gpu& gpu(const std::string& name) {
  return catalog().gpus.get(name);
}

}  // namespace sextant::test
