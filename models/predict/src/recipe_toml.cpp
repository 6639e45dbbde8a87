#include <array>

#include "sextant/core/toml.h"
#include "sextant/predict/recipe.h"

namespace sextant::predict {
namespace {

std::map<std::string, std::string> text_map(TomlSection section) {
  std::map<std::string, std::string> map;
  for (const auto& key : section.keys()) map[key] = section.text(key);
  return map;
}

double unit_of(TomlSection& section, const std::string& response) {
  constexpr std::array<std::pair<std::string_view, double>, 3> kUnits = {
      {{"s", 1}, {"ms", 1e-3}, {"us", 1e-6}}};
  const auto stated = section.maybe_text("unit");
  for (const auto& [name, seconds] : kUnits) {
    if (stated ? *stated == name : response == name || response.ends_with("_" + std::string(name)))
      return seconds;
  }
  throw InputError(section.where("response"), "the unit of '" + response + "' is not known",
                   "unit = \"s\", \"ms\" or \"us\"");
}

DataRecipe read_data(TomlSection& section) {
  DataRecipe data;
  data.file = section.text("file");
  data.response = section.text("response");
  data.unit = unit_of(section, data.response);
  data.columns = text_map(section.section("columns"));
  if (section.has("values")) {
    TomlSection values = section.section("values");
    for (const auto& key : values.keys()) data.values[key] = text_map(values.section(key));
  }
  if (section.has("where")) {
    TomlSection where = section.section("where");
    for (const auto& key : where.keys()) data.where[key] = where.texts(key);
  }
  return data;
}

PublishedStep read_published(TomlSection section) {
  PublishedStep step;
  step.source = section.text("source");
  step.samples_per_s = section.number("samples_per_s");
  if (!(step.samples_per_s > 0)) throw InputError(section.where("samples_per_s"), "the rate is not above 0");
  step.columns = text_map(section.section("case"));
  for (const char* column : {"net", "gpu", "batch"}) {
    if (!step.columns.contains(column))
      throw InputError(section.where("case"), "the case has no '" + std::string(column) + "'");
  }
  section.finish();
  return step;
}

KernelKind kind_named(const std::string& name, const SourcePos& at) {
  for (std::size_t i = 0; i < kKernelKinds; ++i) {
    if (to_string(static_cast<KernelKind>(i)) == name) return static_cast<KernelKind>(i);
  }
  throw InputError(at, "unknown kind of kernel '" + name + "'");
}

ProfileRecipe read_profile(TomlSection section) {
  ProfileRecipe profile;
  profile.data = read_data(section);
  profile.op = section.text("op");
  profile.prefix = section.maybe_text("prefix").value_or("");
  profile.steps = section.maybe_number("steps").value_or(1);
  if (!(profile.steps > 0)) throw InputError(section.where("steps"), "the number of steps is not above 0");
  profile.ignored = section.maybe_texts("ignored");
  TomlSection kinds = section.section("kinds");
  for (const auto& key : kinds.keys()) profile.kinds[key] = kind_named(kinds.text(key), kinds.where(key));
  section.finish();
  return profile;
}

}  // namespace

Recipe parse_recipe(const std::string& text, const std::string& file_name) {
  TomlSection root = parse_toml(text, file_name);
  Recipe recipe;
  recipe.stack = root.text("stack");
  recipe.traits.accumulates_gradients = root.maybe_boolean("accumulates_gradients").value_or(true);
  recipe.traits.tf32_by_default = root.maybe_boolean("tf32_by_default").value_or(false);
  recipe.traits.tf32_convolutions = root.maybe_boolean("tf32_convolutions").value_or(false);
  recipe.traits.prefetches_input = root.maybe_boolean("prefetches_input").value_or(false);
  for (auto& architecture : root.maybe_texts("runs_on"))
    recipe.traits.runs_on.insert(std::move(architecture));
  for (auto& section : root.sections("data")) {
    recipe.data.push_back(read_data(section));
    section.finish();
  }
  if (recipe.data.empty())
    throw InputError(root.where(), "there is no section [[data]], so there is nothing to read");
  for (auto& section : root.sections("published")) recipe.published.push_back(read_published(section));
  if (root.has("profile")) recipe.profile = read_profile(root.section("profile"));
  root.finish();
  return recipe;
}

}  // namespace sextant::predict
