#include "sextant/ask/fit.h"

#include <algorithm>

#include "sextant/collectives/calibration_fit.h"
#include "sextant/core/csv.h"
#include "sextant/core/error_place.h"
#include "sextant/core/text.h"
#include "sextant/llm/generation_fit.h"
#include "sextant/llm/kernel_fit.h"
#include "sextant/llm/step_fit.h"
#include "sextant/scaling/fit.h"

namespace sextant::ask {
namespace {

bool wants_method(const FitQuestion& question, const char* method) {
  const bool asked = std::ranges::find(question.methods, method) != question.methods.end();
  if (asked && question.methods.size() > 1) {
    throw InputError(at_field("method"),
                     std::string(method) + " is not a regression on columns and stands alone");
  }
  return asked;
}

std::optional<double> setting_value(std::string_view text) {
  if (text == "true") return 1;
  if (text == "false") return 0;
  return to_number(text);
}

learn::MethodSettings fixed_parameters(const std::vector<std::string>& assignments) {
  learn::MethodSettings fixed;
  for (const auto& text : assignments) {
    const auto parts = split(text, '=');
    const auto value = parts.size() == 2 ? setting_value(trim(parts[1])) : std::nullopt;
    if (!value)
      throw InputError(at_field("set"), "'" + text + "' is not NAME=NUMBER", "as in `set` degree=2");
    fixed[std::string(trim(parts[0]))] = *value;
  }
  return fixed;
}

// What is wrong with the rows together stands on no line.
SourcePos first_file(const FitQuestion& question) {
  return {.file = question.data.empty() ? "" : question.data.front()};
}

// The folder that holds the tables of language models.
const std::string& only_folder(const FitQuestion& question, const std::string& holds) {
  if (question.data.size() == 1) return question.data.front();
  throw InputError(at_field("data"), "`method` " + question.methods.front() + " takes one folder",
                   "the one that holds " + holds);
}

}  // namespace

FitKind kind_of(const FitQuestion& question) {
  if (wants_method(question, kCollectiveMethod)) return FitKind::collective;
  if (wants_method(question, kScalingMethod)) return FitKind::scaling;
  if (wants_method(question, kLlmStepsMethod)) return FitKind::llm_steps;
  if (wants_method(question, kLlmKernelsMethod)) return FitKind::llm_kernels;
  if (wants_method(question, kLlmGenerationMethod)) return FitKind::llm_generation;
  if (wants_method(question, kKernelMethod)) return FitKind::kernel;
  if (question.recipe || question.stack || question.start || !question.map.empty()) {
    throw InputError(at_field("method"), "`recipe`, `stack`, `start` and `map` belong to `method` kernel");
  }
  if (question.response.empty()) throw InputError(at_field("response"), "the column to predict is missing");
  return FitKind::regression;
}

learn::FitReport fit_regression(const FitQuestion& question, Progress& progress) {
  const learn::FitRequest request{.data = {.response = question.response, .features = question.features},
                                  .methods = question.methods,
                                  .fixed = fixed_parameters(question.set),
                                  .validation = learn::parse_validation(question.validate),
                                  .seed = static_cast<std::uint64_t>(question.seed),
                                  .threads = static_cast<std::size_t>(question.threads)};
  return with_place(first_file(question), [&] {
    return fit_model(learn::DataTables::read_files(question.data), request, progress);
  });
}

collectives::Calibration fit_collective(const FitQuestion& question, const catalog::Catalog& catalog,
                                        Progress& progress) {
  const collectives::Systems systems = collectives::load_systems(catalog);
  std::vector<collectives::TimedCollective> rows;
  for (const auto& file : question.data) {
    const auto read = read_timed(CsvTable::read_file(file), systems, catalog);
    rows.insert(rows.end(), read.begin(), read.end());
  }
  collectives::Calibration calibration = fit_calibration(rows);
  measure_widths(rows, calibration, {}, progress);
  return calibration;
}

scaling::ScalingModel fit_scaling_law(const FitQuestion& question, Progress& progress) {
  std::vector<scaling::ScalingRow> rows;
  for (const auto& file : question.data) {
    const auto more = scaling::read_scaling_rows(CsvTable::read_file(file));
    rows.insert(rows.end(), more.begin(), more.end());
  }
  return with_place(first_file(question), [&] { return fit_scaling(rows, {}, progress); });
}

llm::StepModel fit_llm_steps(const FitQuestion& question, const catalog::Catalog& catalog) {
  return llm::fit_steps(llm::read_measured_steps(only_folder(question, "llm-training"), catalog));
}

llm::GenerationModel fit_llm_generation(const FitQuestion& question, const catalog::Catalog& catalog) {
  return llm::fit_generation(only_folder(question, "llm-serving"), catalog);
}

llm::KernelModel fit_llm_kernels(const FitQuestion& question, const catalog::Catalog& catalog,
                                 Progress& progress) {
  return llm::fit_kernels(only_folder(question, "llm-kernels"), catalog, progress);
}

}  // namespace sextant::ask
