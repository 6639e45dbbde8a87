#include "kinds.h"

#include <cmath>
#include <set>

#include "sextant/core/text.h"
#include "sextant/explore/design.h"
#include "sextant/explore/strategy.h"
#include "sextant/jobs/trace.h"
#include "sextant/learn/method.h"
#include "sextant/measure/runner.h"
#include "sextant/measure/training_strategy.h"
#include "sextant/measure/transport.h"
#include "sextant/nets/network.h"
#include "sextant/parallel/cluster_predictor.h"
#include "sextant/predict/predictor.h"
#include "sextant/predict/recipe.h"
#include "sextant/predict/stack.h"
#include "sextant/report/catalog_report.h"
#include "sextant/report/design_report.h"
#include "sextant/schedule/policy.h"
#include "sextant/simulate/fault.h"
#include "sextant/simulate/placement_rule.h"
#include "sextant/study/evaluator.h"

namespace sextant {
namespace {

const SourcePos kName{"NAME"};

template <class Items>
std::vector<std::string> ids(const Items& items) {
  std::vector<std::string> names;
  for (const auto& item : items) names.push_back(item.id);
  return names;
}

std::string joined(const std::set<std::string>& names) {
  return join(std::vector<std::string>(names.begin(), names.end()), ", ");
}

// A field a row; those without a value are left out.
Table fields(const std::vector<std::pair<std::string, std::string>>& values) {
  Table table;
  table.columns = {{"field", "field"}, {"value", "value"}};
  for (const auto& [name, value] : values) {
    if (!value.empty()) table.rows.push_back({name, value});
  }
  return table;
}

std::vector<Kind> catalog_kinds() {
  return {
      {"gpu", "gpus", "graphics processors and their peak rates", gpus_table,
       [](const Catalog& c, const std::string& name) { return description(c.gpus.get(name, kName)); }},
      {"cpu", "cpus", "host processors", cpus_table,
       [](const Catalog& c, const std::string& name) { return description(c.cpus.get(name, kName)); }},
      {"link", "links", "interconnects inside and between machines", links_table,
       [](const Catalog& c, const std::string& name) { return description(c.links.get(name, kName)); }},
      {"machine", "machines", "machine types with prices", machines_table,
       [](const Catalog& c, const std::string& name) { return description(c.machines.get(name, kName)); }},
  };
}

// Plug-ins of a registry, a line each.
template <class Items>
Table plugins_list(const std::string& kind, const Items& items) {
  Table table;
  table.columns = {{kind, kind}, {"summary", "summary"}};
  for (const auto& item : items) table.rows.push_back({item.id, item.summary});
  return table;
}

// A kind whose things say everything about themselves in PluginInfo.
template <class Registered>
Kind plugin_kind(const std::string& singular, const std::string& plural, const std::string& summary,
                 const Registered& (*registry)()) {
  return {singular, plural, summary, [=](const Catalog&) { return plugins_list(singular, registry().all()); },
          [=](const Catalog&, const std::string& name) {
            return description(static_cast<const PluginInfo&>(registry().get(name, kName)));
          }};
}

Table stacks_list() {
  Table table;
  table.columns = {{"stack", "stack"},
                   {"rows", "timed steps"},
                   {"gpus", "GPUs"},
                   {"precisions", "precisions"},
                   {"modes", "modes"}};
  for (const auto& [id, stack] : builtin_stacks()) {
    table.rows.push_back({id, static_cast<std::int64_t>(stack.rows),
                          static_cast<std::int64_t>(stack.departures.size()), joined(stack.range.precisions),
                          joined(stack.range.modes)});
  }
  return table;
}

// A half-width of log time, as the factor that the true time is within.
std::string factor_text(double log_half_width) {
  return "within a factor of " + number_text(std::round(100 * std::exp(log_half_width)) / 100);
}

Table stack_description(const Stack& stack) {
  std::set<std::string> gpus;
  for (const auto& [gpu, departure] : stack.departures) gpus.insert(gpu);
  return fields({{"id", stack.id},
                 {"timed steps", std::to_string(stack.rows)},
                 {"GPUs", joined(gpus)},
                 {"precisions", joined(stack.range.precisions)},
                 {"modes", joined(stack.range.modes)},
                 {"known GPU and network", factor_text(stack.spread.seen)},
                 {"new network", factor_text(stack.spread.new_net)},
                 {"new GPU", factor_text(stack.spread.new_gpu)},
                 {"new GPU, 8 timings", factor_text(stack.spread.anchored)}});
}

std::string recipe_files(const Recipe& recipe) {
  std::set<std::string> files;
  for (const DataRecipe& data : recipe.data) files.insert(data.file);
  if (recipe.profile) files.insert(recipe.profile->data.file);
  return joined(files);
}

Table recipes_list() {
  Table table;
  table.columns = {{"recipe", "recipe"}, {"files", "files"}};
  for (const auto& name : builtin_recipes()) table.rows.push_back({name, recipe_files(find_recipe(name))});
  return table;
}

Table recipe_description(const Recipe& recipe) {
  std::set<std::string> columns;
  for (const DataRecipe& data : recipe.data) {
    for (const auto& [column, text] : data.columns) columns.insert(column);
  }
  return fields({{"id", recipe.stack},
                 {"files", recipe_files(recipe)},
                 {"columns", joined(columns)},
                 {"profile", recipe.profile ? "of operators" : ""},
                 {"gradients", recipe.traits.accumulates_gradients ? "added up between steps" : "not kept"}});
}

std::vector<Kind> model_kinds() {
  return {
      {"net", "nets", "networks of the zoo", [](const Catalog&) { return networks_table(zoo()); },
       [](const Catalog&, const std::string& name) { return description(find_network(name, kName)); }},
      {"predictor", "predictors", "models of time and memory",
       [](const Catalog&) { return predictors_table(predictors()); },
       [](const Catalog&, const std::string& name) {
         return description(static_cast<const PluginInfo&>(predictors().get(name, kName)));
       }},
      plugin_kind("strategy", "strategies", "ways for devices to share a training step", strategies),
      plugin_kind("method", "methods", "regressions that fit compares", methods),
      {"stack", "stacks", "software that the kernel model is calibrated for",
       [](const Catalog&) { return stacks_list(); },
       [](const Catalog&, const std::string& name) { return stack_description(find_stack(name, kName)); }},
      {"recipe", "recipes", "how published tables became the stacks",
       [](const Catalog&) { return recipes_list(); },
       [](const Catalog&, const std::string& name) { return recipe_description(find_recipe(name, kName)); }},
  };
}

std::vector<Kind> simulation_kinds() {
  return {plugin_kind("policy", "policies", "ways to schedule the jobs of a cluster", policies),
          plugin_kind("placement", "placements", "which GPUs of a cluster a gang gets", placements),
          plugin_kind("fault", "faults", "what goes wrong in a simulated cluster", faults),
          plugin_kind("trace-format", "trace-formats", "files of jobs that can be read", trace_formats)};
}

std::vector<Kind> measurement_kinds() {
  return {plugin_kind("training-strategy", "training-strategies",
                      "ways to spread training over processes here", training_strategies),
          plugin_kind("transport", "transports", "how processes of a measured job talk", transports),
          plugin_kind("runner", "runners", "who starts the processes of a measured job", runners)};
}

std::vector<Kind> exploration_kinds() {
  return {plugin_kind("search-strategy", "search-strategies", "ways to choose the next configuration to run",
                      search_strategies),
          {"design", "designs", "configurations to run, all chosen before the first",
           [](const Catalog&) { return plugins_list("design", designs().all()); },
           [](const Catalog&, const std::string& name) { return description(designs().get(name, kName)); }},
          plugin_kind("evaluator", "evaluators", "what runs a trial of a study", evaluators)};
}

std::vector<Kind> make_kinds() {
  auto all = catalog_kinds();
  for (auto& kind : model_kinds()) all.push_back(std::move(kind));
  for (auto& kind : simulation_kinds()) all.push_back(std::move(kind));
  for (auto& kind : measurement_kinds()) all.push_back(std::move(kind));
  for (auto& kind : exploration_kinds()) all.push_back(std::move(kind));
  return all;
}

}  // namespace

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
std::vector<std::string> link_names() {
  return ids(builtin_catalog().links.all());
}
std::vector<std::string> strategy_names() {
  auto names = ids(strategies().all());
  names.insert(names.begin(), kAnyStrategy);
  return names;
}

std::vector<std::string> training_strategy_names() {
  auto names = ids(training_strategies().all());
  names.insert(names.begin(), "auto");
  return names;
}
std::vector<std::string> transport_names() {
  return ids(transports().all());
}
std::vector<std::string> runner_names() {
  auto names = ids(runners().all());
  names.insert(names.begin(), "auto");
  return names;
}

std::vector<std::string> design_names() {
  return ids(designs().all());
}
std::vector<std::string> search_strategy_names() {
  return ids(search_strategies().all());
}

std::vector<std::string> policy_names() {
  return ids(policies().all());
}
std::vector<std::string> placement_names() {
  return ids(placements().all());
}
std::vector<std::string> fault_names() {
  return ids(faults().all());
}
std::vector<std::string> trace_format_names() {
  return ids(trace_formats().all());
}

}  // namespace sextant
