#include "fit_kernel.h"

#include <nlohmann/json.hpp>

#include "catalog_option.h"
#include "output_file.h"
#include "progress.h"
#include "sextant/cli/run.h"
#include "sextant/core/csv.h"
#include "sextant/predict/recipe.h"
#include "sextant/predict/stack.h"
#include "sextant/report/stack_report.h"

namespace sextant {
namespace {

constexpr std::size_t kLeastRows = 5;

struct Timed {
  Recipe recipe;
  std::vector<Observation> rows;
};

Timed read_timed(const KernelFitArgs& args, const Catalog& catalog) {
  if (args.recipe) {
    if (args.data.size() != 1) throw InputError({"--data"}, "a recipe reads one folder");
    const Recipe recipe = find_recipe(*args.recipe, {"--recipe"});
    return {recipe, read_observations(recipe, args.data.front(), catalog)};
  }
  if (!args.stack) throw InputError({"--stack"}, "the stack needs a name", "as in --stack jax-0.4");
  std::vector<CsvTable> tables;
  for (const auto& file : args.data) tables.push_back(CsvTable::read_file(file));
  const Recipe recipe = plain_recipe(*args.stack, tables, args.response);
  return {recipe, read_observations(recipe, "", catalog)};
}

StackFitOptions options_of(const KernelFitArgs& args) {
  StackFitOptions options;
  if (!args.start) return options;
  const bool file = args.start->ends_with(".json");
  const Stack start =
      file ? stack_from_json(read_text_file(*args.start), *args.start) : find_stack(*args.start, {"--start"});
  options.fit.start = start.shared.coefficients;
  return options;
}

// What ships knows devices, not single machines.
void pool_instances(std::vector<Observation>& rows) {
  for (auto& row : rows) row.instance = row.labels.gpu;
}

}  // namespace

int fit_kernel(const KernelFitArgs& args, const Io& io, const Globals& globals) {
  OutputFile out(args.out);
  const Catalog catalog = open_catalog(io, globals);
  Timed timed = read_timed(args, catalog);
  pool_instances(timed.rows);
  std::vector<const Observation*> rows;
  for (const auto& row : timed.rows) rows.push_back(&row);
  if (rows.size() < kLeastRows) {
    throw InputError({"--data"}, std::to_string(rows.size()) + " timed steps are too few",
                     "at least " + std::to_string(kLeastRows));
  }
  const StackFitOptions options = options_of(args);
  Stack stack = fit_stack(args.stack.value_or(timed.recipe.stack), rows, timed.recipe.traits, options);
  const auto progress = progress_on(io);
  stack.spread = measure_spread(rows, stack, {options, {}}, *progress);
  out.stream() << to_json(stack).dump(1) << "\n";
  out.commit();
  write_table(io, globals, stack_table(stack, rows));
  return kDone;
}

}  // namespace sextant
