// The catalogue that a command works with: the built-in one under the user's files.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "sextant/catalog/catalog.h"
#include "sextant/cli/io.h"

namespace sextant::cli {

// By the user's files.
struct CatalogsRead {
  std::mutex mutex;
  std::map<std::vector<std::string>, std::shared_ptr<const catalog::Catalog>> catalogs;
};

// Warnings of an import go to the error stream.
std::shared_ptr<const catalog::Catalog> shared_catalog(const Io& io, const Globals& globals);
catalog::Catalog open_catalog(const Io& io, const Globals& globals);

}  // namespace sextant::cli
