#include <algorithm>

#include "sextant/core/embedded_file.h"
#include "sextant/core/text.h"
#include "sextant/predict/case_file.h"
#include "sextant/predict/recipe.h"
#include "sextant/predict/run_export.h"

namespace sextant::predict {
namespace {

constexpr const char* kOwnTime = "measured_s";  // of case files; an export of runs calls it otherwise

constexpr std::initializer_list<EmbeddedFile> kRecipeFiles = {
#include "embedded_recipes.inc"
};

constexpr std::string_view kEnding = ".toml";

double unit_of(const std::string& response, const SourcePos& at) {
  if (response.ends_with("_us")) return 1e-6;
  if (response.ends_with("_ms")) return 1e-3;
  if (response.ends_with("_s")) return 1;
  throw InputError(at, "the unit of '" + response + "' is not known", "a name that ends in _s, _ms or _us");
}

}  // namespace

std::vector<std::string> builtin_recipes() {
  std::vector<std::string> names;
  for (const EmbeddedFile& file : kRecipeFiles) {
    const std::string name = file.name;
    names.push_back(name.substr(0, name.size() - kEnding.size()));
  }
  std::ranges::sort(names);
  return names;
}

Recipe find_recipe(const std::string& name_or_path, const SourcePos& at) {
  for (const EmbeddedFile& file : kRecipeFiles) {
    if (file.name == name_or_path + std::string(kEnding))
      return parse_recipe(std::string(file.text), file.name);
  }
  if (name_or_path.ends_with(kEnding)) return parse_recipe(read_text_file(name_or_path), name_or_path);
  throw InputError(at, "unknown recipe '" + name_or_path + "'",
                   name_hint(name_or_path, builtin_recipes()) + ", or the path of a .toml file");
}

Recipe plain_recipe(const std::string& stack, const std::vector<CsvTable>& tables,
                    const std::string& response, const std::vector<std::string>& mapping) {
  Recipe recipe;
  recipe.stack = stack;
  for (const CsvTable& table : tables) {
    if (!mapping.empty() || (response == kOwnTime && !table.find_column(response))) {
      recipe.data.push_back(run_recipe(table, mapping));
      continue;
    }
    DataRecipe data;
    data.file = table.file_name();
    data.response = response;
    data.unit = unit_of(response, table.where_header(table.column(response)));
    for (const auto& name : table.header()) {
      const bool known = std::ranges::find(kCaseColumns, name) != kCaseColumns.end();
      if (known || name == "framework" || name == "library" || name == "instance")
        data.columns[name] = "{" + name + "}";
    }
    recipe.data.push_back(std::move(data));
  }
  return recipe;
}

}  // namespace sextant::predict
