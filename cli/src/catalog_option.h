// The catalogue that a command works with: the built-in one under the user's files.
#pragma once

#include "sextant/catalog/catalog.h"
#include "sextant/cli/io.h"

namespace sextant {

// Warnings of an import go to the error stream.
Catalog open_catalog(const Io& io, const Globals& globals);

}  // namespace sextant
