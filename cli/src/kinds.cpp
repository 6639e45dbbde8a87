#include "kinds.h"

#include "sextant/core/text.h"
#include "sextant/nets/network.h"
#include "sextant/predict/predictor.h"
#include "sextant/report/catalog_report.h"

namespace sextant {
namespace {

const SourcePos kName{"NAME"};

template <class Items>
std::vector<std::string> ids(const Items& items) {
  std::vector<std::string> names;
  for (const auto& item : items) names.push_back(item.id);
  return names;
}

std::vector<Kind> make_kinds() {
  return {
      {"gpu", "gpus", "graphics processors and their peak rates", gpus_table,
       [](const Catalog& c, const std::string& name) { return description(c.gpus.get(name, kName)); }},
      {"cpu", "cpus", "host processors", cpus_table,
       [](const Catalog& c, const std::string& name) { return description(c.cpus.get(name, kName)); }},
      {"link", "links", "interconnects inside and between machines", links_table,
       [](const Catalog& c, const std::string& name) { return description(c.links.get(name, kName)); }},
      {"machine", "machines", "machine types with prices", machines_table,
       [](const Catalog& c, const std::string& name) { return description(c.machines.get(name, kName)); }},
      {"net", "nets", "networks of the zoo", [](const Catalog&) { return networks_table(zoo()); },
       [](const Catalog&, const std::string& name) { return description(find_network(name, kName)); }},
      {"predictor", "predictors", "models of time and memory",
       [](const Catalog&) { return predictors_table(predictors()); },
       [](const Catalog&, const std::string& name) {
         return description(static_cast<const PluginInfo&>(predictors().get(name, kName)));
       }},
  };
}

}  // namespace

const std::vector<Kind>& kinds() {
  static const std::vector<Kind> all = make_kinds();
  return all;
}

const Kind& find_kind(const std::string& word) {
  for (const auto& kind : kinds()) {
    if (fold_name(word) == kind.singular || fold_name(word) == kind.plural) return kind;
  }
  throw InputError({"KIND"}, "there is no kind '" + word + "'", name_hint(word, kind_names()));
}

std::vector<std::string> kind_names() {
  std::vector<std::string> names;
  for (const auto& kind : kinds()) names.push_back(kind.plural);
  return names;
}

std::vector<std::string> gpu_names() {
  return ids(builtin_catalog().gpus.all());
}
std::vector<std::string> machine_names() {
  return ids(builtin_catalog().machines.all());
}
std::vector<std::string> network_names() {
  return ids(zoo().all());
}
std::vector<std::string> predictor_names() {
  return ids(predictors().all());
}

}  // namespace sextant
