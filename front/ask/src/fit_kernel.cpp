#include <cmath>
#include <set>
#include <span>

#include "sextant/ask/fit.h"
#include "sextant/core/csv.h"
#include "sextant/predict/recipe.h"

namespace sextant::ask {
namespace {

constexpr std::size_t kLeastTimedSteps = 5;
constexpr const char* kUsualResponse = "measured_s";

using StepRows = std::vector<const predict::Observation*>;

struct TimedSteps {
  predict::Recipe recipe;
  std::vector<predict::Observation> rows;
};

TimedSteps read_steps(const FitQuestion& question, const catalog::Catalog& catalog) {
  if (question.recipe) {
    if (question.data.size() != 1) throw InputError(at_field("data"), "a recipe reads one folder");
    const predict::Recipe recipe = predict::find_recipe(*question.recipe, at_field("recipe"));
    return {recipe, read_observations(recipe, question.data.front(), catalog)};
  }
  if (!question.stack) throw InputError(at_field("stack"), "the stack needs a name", "as in `stack` jax-0.4");
  std::vector<CsvTable> tables;
  for (const auto& file : question.data) tables.push_back(CsvTable::read_file(file));
  const std::string response = question.response.empty() ? kUsualResponse : question.response;
  const predict::Recipe recipe = predict::plain_recipe(*question.stack, tables, response, question.map);
  return {recipe, read_observations(recipe, "", catalog)};
}

predict::StackFitOptions start_from(const std::optional<std::string>& start) {
  predict::StackFitOptions options;
  if (!start) return options;
  const predict::Stack stack = start->ends_with(".json")
                                   ? predict::stack_from_json(read_text_file(*start), *start)
                                   : predict::find_stack(*start, at_field("start"));
  options.fit.start = stack.shared.coefficients;
  return options;
}

double mean_error(const predict::Stack& stack, const StepRows& rows) {
  double sum = 0;
  for (const predict::Observation* row : rows) {
    sum += std::abs(std::exp(estimate(stack, *row).log_total) / row->seconds - 1);
  }
  return sum / static_cast<double>(rows.size());
}

}  // namespace

KernelFit fit_kernel(const FitQuestion& question, const catalog::Catalog& catalog, Progress& progress) {
  TimedSteps timed = read_steps(question, catalog);
  StepRows rows;
  std::set<std::string> gpus;
  std::set<std::string> nets;
  for (auto& row : timed.rows) {
    row.instance = row.labels.gpu;  // what is fitted knows devices, not single machines
    rows.push_back(&row);
    gpus.insert(row.labels.gpu);
    nets.insert(row.labels.net);
  }
  if (rows.size() < kLeastTimedSteps) {
    throw InputError(at_field("data"), std::to_string(rows.size()) + " timed steps are too few",
                     "at least " + std::to_string(kLeastTimedSteps));
  }
  const predict::StackFitOptions options = start_from(question.start);
  predict::Stack stack =
      fit_stack(question.stack.value_or(timed.recipe.stack), rows, timed.recipe.traits, options);
  stack.spread = measure_spread(rows, stack, {options, {}}, progress);
  const double error = mean_error(stack, rows);
  return {.stack = std::move(stack), .gpus = gpus.size(), .nets = nets.size(), .mean_error = error};
}

}  // namespace sextant::ask
