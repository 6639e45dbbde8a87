// How somebody else's CSV files become timed steps: which columns make a case, which rows count, what
// the time column is, and how an operator profile maps to kinds of kernels. A recipe is a TOML file; the
// ones that made the stacks of the program are in models/predict/recipes.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sextant/catalog/catalog.h"
#include "sextant/core/csv.h"
#include "sextant/predict/observation.h"

namespace sextant::predict {

// One file of timed steps.
struct DataRecipe {
  std::string file;      // relative to the data folder
  std::string response;  // the time; its unit is the ending of the name (_s, _ms, _us) or `unit`
  double unit = 1;       // s
  // Case columns as text with {column} in it: net = "profet/{model}".
  std::map<std::string, std::string> columns;
  // Replaces the result of a template; where a table is given, anything else becomes empty.
  std::map<std::string, std::map<std::string, std::string>> values = {};
  // Rows to keep: a column and the values allowed; a value with "!" in front is refused.
  std::map<std::string, std::vector<std::string>> where = {};
};

// A throughput that somebody published, restated as a fact with its source.
struct PublishedStep {
  std::map<std::string, std::string> columns;  // of a case: net, gpu, batch, ...
  double samples_per_s = 0;
  std::string source;
};

struct ProfileRecipe {
  DataRecipe data;     // `columns` also names the case, so that profile and step meet
  std::string op;      // column with the operator
  std::string prefix;  // of the operators that count
  double steps = 1;    // that the profile covers
  std::vector<std::string> ignored = {};
  std::map<std::string, KernelKind> kinds = {};  // by operator without its prefix
};

struct Recipe {
  std::string stack;
  StackTraits traits;
  std::vector<DataRecipe> data;
  std::vector<PublishedStep> published = {};
  std::optional<ProfileRecipe> profile = {};
};

Recipe parse_recipe(const std::string& text, const std::string& file_name);

// A recipe of the program by the name of its stack, or a TOML file by its path.
Recipe find_recipe(const std::string& name_or_path, const SourcePos& at = {});
std::vector<std::string> builtin_recipes();  // names, sorted

// Files that are case files already: the columns that they have, and `response`. Without a column
// `measured_s` that is asked for, or with a mapping, they are exports of runs: see run_export.h.
Recipe plain_recipe(const std::string& stack, const std::vector<CsvTable>& tables,
                    const std::string& response, const std::vector<std::string>& mapping = {});

// The file as a table of cases with `measured_s`, `framework`, `library` and `instance`.
CsvTable map_columns(const CsvTable& table, const DataRecipe& recipe);

// Files are looked up below `folder`. InputError names file, line and column.
std::vector<Observation> read_observations(const Recipe& recipe, const std::string& folder,
                                           const catalog::Catalog& catalog);

}  // namespace sextant::predict
