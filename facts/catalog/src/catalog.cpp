#include "sextant/catalog/catalog.h"

#include <algorithm>

#include "catalog_toml.h"
#include "draft.h"
#include "sextant/core/csv.h"
#include "sextant/core/embedded_file.h"
#include "sextant/core/text.h"
#include "skypilot.h"

namespace sextant::catalog {
namespace {

constexpr std::initializer_list<EmbeddedFile> kFiles = {
#include "embedded_data.inc"
};

bool is_csv(const CatalogFile& file) {
  return to_lower(file.path).ends_with(".csv");
}

}  // namespace

Catalog builtin_catalog() {
  Draft all;
  for (const auto& file : kFiles) read_catalog_toml(std::string(file.text), file.name, all);
  Draft catalog;
  lay_over(catalog, std::move(all));
  return finish(std::move(catalog));
}

Catalog overlay(const Catalog& base, std::span<const CatalogFile> files) {
  Draft draft = to_draft(base);
  for (const auto& file : files) {
    if (is_csv(file)) continue;
    Draft layer;
    read_catalog_toml(file.text, file.path, layer);
    lay_over(draft, std::move(layer));
  }
  Catalog catalog = finish(std::move(draft));
  for (const auto& file : files) {
    if (!is_csv(file)) continue;
    Draft layer = import_skypilot(CsvTable::parse(file.text, file.path), catalog);
    draft = to_draft(catalog);
    lay_over(draft, std::move(layer));
    catalog = finish(std::move(draft));
  }
  return catalog;
}

Catalog load_catalog(std::span<const std::string> user_files) {
  std::vector<CatalogFile> files;
  for (const auto& path : user_files) files.push_back({path, read_text_file(path)});
  return overlay(builtin_catalog(), files);
}

std::optional<Bandwidth> gpu_link_bandwidth(const Catalog& catalog, const Machine& machine) {
  if (machine.gpu_link.empty()) return std::nullopt;
  const Gpu* gpu = catalog.gpus.find(machine.gpu);
  if (gpu != nullptr && gpu->link == machine.gpu_link && gpu->link_bandwidth) return gpu->link_bandwidth;
  return catalog.links.get(machine.gpu_link).bandwidth;
}

std::optional<Bandwidth> node_link_bandwidth(const Catalog& catalog, const Machine& machine) {
  if (machine.node_link_bandwidth) return machine.node_link_bandwidth;
  if (machine.node_link.empty()) return std::nullopt;
  return catalog.links.get(machine.node_link).bandwidth;
}

void check_node_size(const Catalog& catalog, std::int64_t gpus, const SourcePos& at) {
  const auto& all = catalog.machines.all();
  const auto largest = std::ranges::max_element(all, {}, &Machine::gpu_count);
  if (largest == all.end() || static_cast<double>(gpus) <= largest->gpu_count) return;
  throw InputError(at, "no machine of the catalogue has " + std::to_string(gpus) + " GPUs",
                   "the largest, " + largest->id + ", has " + number_text(largest->gpu_count) +
                       "; spread the GPUs over more nodes");
}

Provider provider_of(const Catalog& catalog, const Machine& machine) {
  const Provider* known = catalog.providers.find(machine.cloud);
  return known == nullptr ? Provider{} : *known;
}

const Gpu& find_gpu(const Catalog& catalog, const std::string& name, const SourcePos& at) {
  if (fold_name(name) != "local" || catalog.gpus.find(name) != nullptr) return catalog.gpus.get(name, at);
  throw InputError(at, "unknown GPU '" + name + "'",
                   "'sextant calibrate' measures the machine at hand, which is then known as 'local'");
}

const Link& network_link(const Catalog& catalog, const std::string& name, const SourcePos& at) {
  const Link& link = catalog.links.get(name, at);
  if (link.kind == LinkKind::network) return link;
  throw InputError(at, "'" + link.id + "' joins GPUs of one machine, not machines",
                   "'sextant list links' shows those of kind network");
}

}  // namespace sextant::catalog
