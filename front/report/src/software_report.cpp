#include "sextant/report/software_report.h"

#include <cmath>
#include <set>

#include "catalog_fields.h"
#include "sextant/report/catalog_report.h"

namespace sextant::report {
namespace {

using enum Importance;
using predict::Recipe;
using predict::Stack;

Cell names_cell(const std::set<std::string>& names) {
  return stated(std::vector<std::string>(names.begin(), names.end()));
}

// A half-width of log time, as the factor that the true time is within.
Cell factor_cell(double log_half_width) {
  const double factor = std::exp(log_half_width);
  Cell cell(factor);
  cell.shown = "within a factor of " + number_text(std::round(100 * factor) / 100);
  return cell;
}

std::set<std::string> gpus_of(const Stack& stack) {
  std::set<std::string> gpus;
  for (const auto& [gpu, departure] : stack.departures) gpus.insert(gpu);
  return gpus;
}

Fields<Stack> range_fields() {
  return {
      {"precisions", "precisions", [](const Stack& s) { return names_cell(s.range.precisions); }},
      {"modes", "modes", [](const Stack& s) { return names_cell(s.range.modes); }},
  };
}

Fields<Stack> stack_list_fields() {
  const Fields<Stack> counts = {
      {"stack", "stack", [](const Stack& s) { return Cell(s.id); }, identity},
      {"rows", "timed steps", [](const Stack& s) { return Cell(static_cast<std::int64_t>(s.rows)); }},
      {"gpus", "GPUs", [](const Stack& s) { return Cell(static_cast<std::int64_t>(s.departures.size())); }},
  };
  return joined({counts, range_fields()});
}

Fields<Stack> stack_fields() {
  const Fields<Stack> origin = {
      {"stack", "id", [](const Stack& s) { return Cell(s.id); }},
      {"rows", "timed steps", [](const Stack& s) { return stated_number(static_cast<int>(s.rows)); }},
      {"gpus", "GPUs", [](const Stack& s) { return names_cell(gpus_of(s)); }},
  };
  const Fields<Stack> spread = {
      {"factor_seen", "known GPU and network", [](const Stack& s) { return factor_cell(s.spread.seen); }},
      {"factor_new_net", "new network", [](const Stack& s) { return factor_cell(s.spread.new_net); }},
      {"factor_new_gpu", "new GPU", [](const Stack& s) { return factor_cell(s.spread.new_gpu); }},
      {"factor_anchored", "new GPU, 8 timings",
       [](const Stack& s) { return factor_cell(s.spread.anchored); }},
  };
  return joined({origin, range_fields(), spread});
}

Cell recipe_files(const Recipe& recipe) {
  std::set<std::string> files;
  for (const predict::DataRecipe& data : recipe.data) files.insert(data.file);
  if (recipe.profile) files.insert(recipe.profile->data.file);
  return names_cell(files);
}

Cell recipe_columns(const Recipe& recipe) {
  std::set<std::string> columns;
  for (const predict::DataRecipe& data : recipe.data) {
    for (const auto& [column, text] : data.columns) columns.insert(column);
  }
  return names_cell(columns);
}

// A recipe goes by its name in a list, and names the stack that it makes.
struct NamedRecipe {
  std::string name;
  Recipe recipe;
};

Fields<NamedRecipe> recipe_list_fields() {
  return {
      {"recipe", "recipe", [](const NamedRecipe& r) { return Cell(r.name); }, identity},
      {"files", "files", [](const NamedRecipe& r) { return recipe_files(r.recipe); }},
  };
}

Fields<Recipe> recipe_fields() {
  return {
      {"recipe", "id", [](const Recipe& r) { return Cell(r.stack); }},
      {"files", "files", recipe_files},
      {"columns", "columns", recipe_columns},
      {"profile", "profile", [](const Recipe& r) { return r.profile ? Cell("of operators") : Cell(); }},
      {"gradients", "gradients",
       [](const Recipe& r) {
         return Cell(r.traits.accumulates_gradients ? "added up between steps" : "not kept");
       }},
  };
}

}  // namespace

Table stacks_table() {
  std::vector<std::reference_wrapper<const Stack>> stacks;
  for (const auto& [id, stack] : predict::builtin_stacks()) stacks.emplace_back(stack);
  return table_of(stack_list_fields(), stacks);
}

Table recipes_table() {
  std::vector<NamedRecipe> recipes;
  for (const auto& name : predict::builtin_recipes()) recipes.push_back({name, predict::find_recipe(name)});
  return table_of(recipe_list_fields(), recipes);
}

Result description(const Stack& stack) {
  return description_result("stack", facts_of(stack_fields(), stack));
}

Result description(const Recipe& recipe) {
  return description_result("recipe", facts_of(recipe_fields(), recipe));
}

}  // namespace sextant::report
