// The built-in catalogue, read once for all tests of the module.
#pragma once

#include <string>

#include "sextant/catalog/catalog.h"

namespace sextant::predict::test {

inline const catalog::Catalog& catalog() {
  static const catalog::Catalog built_in = catalog::builtin_catalog();
  return built_in;
}

inline const catalog::Gpu& gpu(const std::string& name) {
  return catalog().gpus.get(name);
}

}  // namespace sextant::predict::test
