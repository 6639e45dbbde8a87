#include <map>

#include "link_use.h"
#include "sextant/collectives/system.h"
#include "sextant/core/csv.h"
#include "sextant/core/embedded_file.h"
#include "sextant/core/toml.h"

namespace sextant::collectives {
namespace {

constexpr std::int64_t kSystemsSchema = 1;
constexpr std::int64_t kMost = 1'000'000;

constexpr std::initializer_list<EmbeddedFile> kFiles = {
#include "embedded_data.inc"
};

std::int64_t count(TomlSection& section, const char* key) {
  const std::int64_t value = section.integer(key);
  if (value >= 1 && value <= kMost) return value;
  throw InputError(section.where(key), std::string("'") + key + "' is not from 1 to a million");
}

const catalog::Link& link_at(TomlSection& section, const char* key, const catalog::Catalog& catalog) {
  const std::string name = section.text(key);
  return catalog.links.get(name, section.where(key));
}

System read_system(TomlSection& section, const catalog::Catalog& catalog) {
  System system{.id = section.text("id"), .inside = link_use(link_at(section, "link", catalog))};
  if (fold_name(system.id).empty()) throw InputError(section.where("id"), "'id' is empty");
  system.aliases = section.maybe_texts("aliases");
  const std::string gpu = section.text("gpu");
  const catalog::Gpu& found = catalog.gpus.get(gpu, section.where("gpu"));
  system.gpu = found.id;
  system.architecture = found.architecture;
  system.gpus = count(section, "gpus");
  if (section.maybe_boolean("staged").value_or(false)) system.inside.wire = Wire::staged;
  section.expect("pairs");
  section.expect("network");
  section.expect("cards");
  section.expect("notes");
  if (section.has("pairs")) system.pairs = link_use(link_at(section, "pairs", catalog));
  if (section.has("network")) {
    const catalog::Link& network = link_at(section, "network", catalog);
    if (network.kind != catalog::LinkKind::network) {
      throw InputError(section.where("network"), "'" + network.id + "' does not join machines");
    }
    system.network = link_use(network);
  }
  if (section.has("cards")) system.cards = count(section, "cards");
  section.finish();
  return system;
}

}  // namespace

std::vector<System> read_systems(const std::string& text, const std::string& file_name,
                                 const catalog::Catalog& catalog) {
  TomlSection file = parse_toml(text, file_name);
  if (file.integer("schema") != kSystemsSchema) {
    throw InputError(file.where("schema"), "this program does not know the schema of the file",
                     "it reads schema = 1");
  }
  std::vector<System> systems;
  for (auto& section : file.sections("system")) systems.push_back(read_system(section, catalog));
  file.finish();
  const Systems check("system", systems);  // no name twice
  return check.all();
}

Systems load_systems(const catalog::Catalog& catalog, std::span<const std::string> user_files) {
  std::map<std::string, System> by_name;
  const auto add = [&](const std::string& text, const std::string& file) {
    for (auto& system : read_systems(text, file, catalog)) {
      by_name.insert_or_assign(fold_name(system.id), std::move(system));
    }
  };
  for (const auto& file : kFiles) add(std::string(file.text), file.name);
  for (const auto& file : user_files) add(read_text_file(file), file);
  std::vector<System> all;
  for (auto& entry : by_name) all.push_back(std::move(entry.second));
  return {"system", std::move(all), "systems"};
}

}  // namespace sextant::collectives
