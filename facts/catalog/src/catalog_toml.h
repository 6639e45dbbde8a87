// Catalogue TOML: [[gpu]], [[cpu]], [[link]], [[machine]] and [[provider]] entries, with `source`, `date` and
// `cloud` at the top of the file for all entries that do not say their own.
#pragma once

#include <string>

#include "draft.h"

namespace sextant::catalog {

// Adds the entries of one file; references between entries are left for finish().
void read_catalog_toml(const std::string& text, const std::string& file_name, Draft& into);

}  // namespace sextant::catalog
