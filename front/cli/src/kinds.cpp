#include "kinds.h"

#include <algorithm>

#include "plugin_kind.h"
#include "sextant/capacity/method.h"
#include "sextant/collectives/system.h"
#include "sextant/core/text.h"
#include "sextant/explore/design.h"
#include "sextant/explore/search_strategy.h"
#include "sextant/federated/sampler.h"
#include "sextant/federated/strategy.h"
#include "sextant/jobs/trace.h"
#include "sextant/learn/method.h"
#include "sextant/measure/runner.h"
#include "sextant/measure/training_strategy.h"
#include "sextant/measure/transport.h"
#include "sextant/nets/network.h"
#include "sextant/parallel/cluster_predictor.h"
#include "sextant/predict/predictor.h"
#include "sextant/report/catalog_report.h"
#include "sextant/report/robust_report.h"
#include "sextant/report/software_report.h"
#include "sextant/report/system_report.h"
#include "sextant/robust/attack.h"
#include "sextant/robust/rule.h"
#include "sextant/schedule/policy.h"
#include "sextant/simulate/fault.h"
#include "sextant/simulate/placement_rule.h"

namespace sextant::cli {
namespace {

template <class Items>
std::vector<std::string> ids(const Items& items) {
  std::vector<std::string> names;
  for (const auto& item : items) names.push_back(item.id);
  return names;
}

std::vector<Kind> catalog_kinds() {
  return {
      {"gpu", "gpus", "graphics processors and their peak rates", report::gpus_table,
       [](const catalog::Catalog& c, const std::string& name) {
         return report::description(c.gpus.get(name, kName));
       }},
      {"cpu", "cpus", "host processors", report::cpus_table,
       [](const catalog::Catalog& c, const std::string& name) {
         return report::description(c.cpus.get(name, kName));
       }},
      {"link", "links", "interconnects inside and between machines", report::links_table,
       [](const catalog::Catalog& c, const std::string& name) {
         return report::description(c.links.get(name, kName));
       }},
      {"machine", "machines", "machine types with prices", report::machines_table,
       [](const catalog::Catalog& c, const std::string& name) {
         return report::description(c.machines.get(name, kName));
       }},
  };
}

// What is no registry of plug-ins, besides the catalogue.
std::vector<Kind> other_kinds() {
  return {
      {"stack", "stacks", "software that the kernel model is calibrated for",
       [](const catalog::Catalog&) { return report::stacks_table(); },
       [](const catalog::Catalog&, const std::string& name) {
         return report::description(predict::find_stack(name, kName));
       }},
      {"recipe", "recipes", "how published tables became the stacks",
       [](const catalog::Catalog&) { return report::recipes_table(); },
       [](const catalog::Catalog&, const std::string& name) {
         return report::description(predict::find_recipe(name, kName));
       }},
      {"system", "systems", "clusters of which collectives were timed",
       [](const catalog::Catalog& c) { return report::systems_table(collectives::load_systems(c)); },
       [](const catalog::Catalog& c, const std::string& name) {
         return report::description(collectives::load_systems(c).get(name, kName));
       }},
      kind_of(measure::transports),
  };
}

// People read of machines and networks first, then of what uses them. A kind that is not named here comes
// last.
std::size_t place_of(const Kind& kind) {
  static const std::vector<std::string> order = {"gpu",
                                                 "cpu",
                                                 "link",
                                                 "machine",
                                                 "net",
                                                 "predictor",
                                                 "strategy",
                                                 "method",
                                                 "stack",
                                                 "recipe",
                                                 "system",
                                                 "policy",
                                                 "placement",
                                                 "fault",
                                                 "trace-format",
                                                 "training-strategy",
                                                 "transport",
                                                 "runner",
                                                 "federated-strategy",
                                                 "sampler",
                                                 "rule",
                                                 "attack",
                                                 "search-strategy",
                                                 "design",
                                                 "evaluator"};
  return static_cast<std::size_t>(std::ranges::find(order, kind.singular) - order.begin());
}

std::vector<Kind> make_kinds() {
  auto all = catalog_kinds();
  std::ranges::move(plugin_kinds(), std::back_inserter(all));
  std::ranges::move(other_kinds(), std::back_inserter(all));
  std::ranges::stable_sort(all, {}, place_of);
  return all;
}

}  // namespace

Kind kind_of(const Registry<nets::Network>& (*registry)()) {
  const PluginKind& kind = nets::Network::kKind;
  return {kind.singular, kind.plural, kind.summary,
          [=](const catalog::Catalog&) { return report::networks_table(registry()); },
          [](const catalog::Catalog&, const std::string& name) {
            return report::description(nets::find_network(name, kName));
          }};
}

Kind kind_of(const Registry<robust::AggregationRuleInfo>& (*registry)()) {
  const PluginKind& kind = robust::AggregationRuleInfo::kKind;
  return {kind.singular, kind.plural, kind.summary,
          [=](const catalog::Catalog&) { return report::rules_table(registry()); },
          [=](const catalog::Catalog&, const std::string& name) {
            return report::description(registry().get(name, kName));
          }};
}

Kind kind_of(const Registry<robust::AttackInfo>& (*registry)()) {
  const PluginKind& kind = robust::AttackInfo::kKind;
  return {kind.singular, kind.plural, kind.summary,
          [=](const catalog::Catalog&) { return report::attacks_table(registry()); },
          [=](const catalog::Catalog&, const std::string& name) {
            return report::description(registry().get(name, kName));
          }};
}

const std::vector<Kind>& kinds() {
  static const std::vector<Kind> all = make_kinds();
  return all;
}

const Kind& find_kind(const std::string& word) {
  for (const auto& kind : kinds()) {
    const std::string folded = fold_name(word);
    if (folded == fold_name(kind.singular) || folded == fold_name(kind.plural)) return kind;
  }
  throw InputError({"KIND"}, "there is no kind '" + word + "'", name_hint(word, kind_names()));
}

std::vector<std::string> kind_names() {
  std::vector<std::string> names;
  for (const auto& kind : kinds()) names.push_back(kind.plural);
  return names;
}

std::vector<std::string> gpu_names() {
  return ids(catalog::builtin_catalog().gpus.all());
}
std::vector<std::string> machine_names() {
  return ids(catalog::builtin_catalog().machines.all());
}
std::vector<std::string> network_names() {
  return ids(nets::zoo().all());
}
std::vector<std::string> predictor_names() {
  return ids(predict::predictors().all());
}
std::vector<std::string> link_names() {
  return ids(catalog::builtin_catalog().links.all());
}
std::vector<std::string> system_names() {
  return ids(collectives::load_systems(catalog::builtin_catalog()).all());
}
std::vector<std::string> strategy_names() {
  auto names = ids(parallel::parallel_strategies().all());
  names.insert(names.begin(), parallel::kAnyStrategy);
  return names;
}

std::vector<std::string> training_strategy_names() {
  auto names = ids(measure::training_strategies().all());
  names.insert(names.begin(), "auto");
  return names;
}
std::vector<std::string> transport_names() {
  return ids(measure::transports().all());
}
std::vector<std::string> runner_names() {
  auto names = ids(measure::runners().all());
  names.insert(names.begin(), "auto");
  return names;
}

std::vector<std::string> sampler_names() {
  return ids(federated::samplers().all());
}
std::vector<std::string> federated_strategy_names() {
  return ids(federated::federated_strategies().all());
}
std::vector<std::string> rule_names() {
  return ids(robust::rules().all());
}
std::vector<std::string> attack_names() {
  auto names = ids(robust::attacks().all());
  names.insert(names.begin(), "none");
  return names;
}

std::vector<std::string> design_names() {
  return ids(explore::designs().all());
}
std::vector<std::string> search_strategy_names() {
  return ids(explore::search_strategies().all());
}

std::vector<std::string> policy_names() {
  return ids(schedule::policies().all());
}
std::vector<std::string> planning_method_names() {
  return ids(capacity::methods().all());
}
std::vector<std::string> placement_names() {
  return ids(simulate::placements().all());
}
std::vector<std::string> fault_names() {
  return ids(simulate::faults().all());
}
std::vector<std::string> trace_format_names() {
  return ids(jobs::trace_formats().all());
}

}  // namespace sextant::cli
