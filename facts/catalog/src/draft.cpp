#include "draft.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "sextant/core/text.h"

namespace sextant::catalog {
namespace {

template <class Item>
using Claims = std::map<std::string, const Entry<Item>*>;  // folded name, who claims it

template <class Item>
void claim(Claims<Item>& claims, const Entry<Item>& entry, const std::string& name, std::string_view key) {
  const auto [it, fresh] = claims.emplace(fold_name(name), &entry);
  if (fresh || it->second == &entry) return;
  throw InputError(entry.where(key), "'" + name + "' is also a name of '" + it->second->item.id + "'");
}

template <class Item>
Claims<Item> claims_of(const std::vector<Entry<Item>>& layer) {
  Claims<Item> claims;
  for (const auto& entry : layer) {
    claim(claims, entry, entry.item.id, "id");
    for (const auto& alias : entry.item.aliases) claim(claims, entry, alias, "aliases");
  }
  return claims;
}

// Whether the layer leaves this older entry in place; takes from it the aliases that the layer claims.
template <class Item>
bool survives(Entry<Item>& old, const Claims<Item>& claims) {
  if (const auto it = claims.find(fold_name(old.item.id)); it != claims.end()) {
    if (fold_name(it->second->item.id) == it->first) return false;
    throw InputError(it->second->where("aliases"), "alias '" + old.item.id + "' is the id of another entry",
                     "to replace that entry, use its id");
  }
  std::erase_if(old.item.aliases, [&](const auto& alias) { return claims.contains(fold_name(alias)); });
  return true;
}

template <class Item>
void lay_over(std::vector<Entry<Item>>& base, std::vector<Entry<Item>> layer) {
  const auto claims = claims_of(layer);
  std::vector<Entry<Item>> merged;
  for (auto& old : base) {
    if (survives(old, claims)) merged.push_back(std::move(old));
  }
  std::ranges::move(layer, std::back_inserter(merged));
  base = std::move(merged);
}

template <class Item>
std::vector<Entry<Item>> entries(const Registry<Item>& registry) {
  std::vector<Entry<Item>> all;
  for (const auto& item : registry.all()) all.push_back({item, [](std::string_view) { return SourcePos{}; }});
  return all;
}

template <class Item>
Registry<Item> registry(std::string kind, std::vector<Entry<Item>> draft, std::string listed_as = {}) {
  std::vector<Item> items;
  items.reserve(draft.size());
  for (auto& entry : draft) items.push_back(std::move(entry.item));
  return {std::move(kind), std::move(items), std::move(listed_as)};
}

// Writes the id in place of whichever name the file used; an empty reference stays empty.
template <class Item, class Owner>
void resolve(const Registry<Item>& known, Entry<Owner>& entry, std::string Owner::*field,
             std::string_view key) {
  std::string& name = entry.item.*field;
  if (!name.empty()) name = known.get(name, entry.where(key)).id;
}

void add_bare_names(std::vector<Entry<Machine>>& machines) {
  std::map<std::string, int> uses;
  for (const auto& [machine, where] : machines) {
    ++uses[fold_name(bare_name(machine))];
    for (const auto& alias : machine.aliases) ++uses[fold_name(alias)];
  }
  for (auto& [machine, where] : machines) {
    const std::string bare = bare_name(machine);
    if (uses[fold_name(bare)] == 1) machine.aliases.push_back(bare);
  }
}

}  // namespace

std::string bare_name(const Machine& machine) {
  return machine.id.substr(machine.id.find('/') + 1);
}

Draft to_draft(const Catalog& catalog) {
  Draft draft{entries(catalog.gpus),     entries(catalog.cpus), entries(catalog.links),
              entries(catalog.machines), catalog.warnings,      entries(catalog.providers)};
  for (auto& [machine, where] : draft.machines) {
    std::erase(machine.aliases, bare_name(machine));
  }
  return draft;
}

void lay_over(Draft& base, Draft layer) {
  lay_over(base.gpus, std::move(layer.gpus));
  lay_over(base.cpus, std::move(layer.cpus));
  lay_over(base.links, std::move(layer.links));
  lay_over(base.machines, std::move(layer.machines));
  lay_over(base.providers, std::move(layer.providers));
  std::ranges::move(layer.warnings, std::back_inserter(base.warnings));
}

Catalog finish(Draft draft) {
  auto links = registry("link", std::move(draft.links), "links");
  for (auto& entry : draft.gpus) resolve(links, entry, &Gpu::link, "link");
  auto cpus = registry("CPU", std::move(draft.cpus), "cpus");
  auto gpus = registry("GPU", std::move(draft.gpus), "gpus");
  for (auto& entry : draft.machines) {
    if (entry.item.gpu_known) resolve(gpus, entry, &Machine::gpu, "gpu");
    resolve(cpus, entry, &Machine::cpu, "cpu");
    resolve(links, entry, &Machine::gpu_link, "link");
    resolve(links, entry, &Machine::node_link, "network");
    const Gpu* gpu = gpus.find(entry.item.gpu);
    if (gpu != nullptr && entry.item.gpu_link.empty() && entry.item.gpu_count > 1)
      entry.item.gpu_link = gpu->link;
  }
  add_bare_names(draft.machines);
  return {std::move(gpus),           std::move(cpus),
          std::move(links),          registry("machine", std::move(draft.machines), "machines"),
          std::move(draft.warnings), registry("provider", std::move(draft.providers))};
}

}  // namespace sextant::catalog
