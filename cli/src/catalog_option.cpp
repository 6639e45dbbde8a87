#include "catalog_option.h"

namespace sextant {

Catalog open_catalog(const Io& io, const Globals& globals) {
  Catalog catalog = load_catalog(globals.catalog);
  for (const auto& warning : catalog.warnings) warn(io, warning);
  return catalog;
}

}  // namespace sextant
