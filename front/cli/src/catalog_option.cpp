#include "catalog_option.h"

namespace sextant::cli {
namespace {

std::shared_ptr<const catalog::Catalog> loaded(const std::vector<std::string>& files) {
  return std::make_shared<const catalog::Catalog>(catalog::load_catalog(files));
}

std::shared_ptr<const catalog::Catalog> read_once(CatalogsRead& read, const std::vector<std::string>& files) {
  const std::lock_guard lock(read.mutex);
  std::shared_ptr<const catalog::Catalog>& catalog = read.catalogs[files];
  if (!catalog) catalog = loaded(files);
  return catalog;
}

}  // namespace

std::shared_ptr<const catalog::Catalog> shared_catalog(const Io& io, const Globals& globals) {
  auto catalog = io.catalogs ? read_once(*io.catalogs, globals.catalog) : loaded(globals.catalog);
  for (const auto& warning : catalog->warnings) warn(io, warning);
  return catalog;
}

catalog::Catalog open_catalog(const Io& io, const Globals& globals) {
  return *shared_catalog(io, globals);
}

}  // namespace sextant::cli
