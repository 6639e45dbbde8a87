#include "sextant/report/llm_report.h"

namespace sextant::report {
namespace {

using enum Importance;
using llm::GenerationModel;
using llm::KernelModel;
using llm::StepModel;

Fields<StepModel> llm_fit_fields() {
  const auto count = [](std::size_t n) { return Cell(static_cast<std::int64_t>(n)); };
  return {
      {"rows", "steps", [](const StepModel& m) { return Cell(static_cast<std::int64_t>(m.rows)); }},
      {"gpus", "kinds of GPUs", [count](const StepModel& m) { return count(m.gpus.size()); }},
      {"stacks", "software", [count](const StepModel& m) { return count(m.widths.stacks.size()); }},
      {"mean_error_fitted", "error, fitted rows",
       [](const StepModel& m) { return percent_cell(m.mean_error); }, essential},
  };
}

int rows_of(const KernelModel& model) {
  int rows = 0;
  for (const auto& [id, law] : model.laws) rows += law.rows;
  return rows;
}

Fields<KernelModel> kernel_fit_fields() {
  return {
      {"rows", "kernels", [](const KernelModel& m) { return Cell(static_cast<std::int64_t>(rows_of(m))); }},
      {"laws", "laws", [](const KernelModel& m) { return Cell(static_cast<std::int64_t>(m.laws.size())); },
       essential},
  };
}

Fields<GenerationModel> generation_fit_fields() {
  const auto count = [](std::size_t n) { return Cell(static_cast<std::int64_t>(n)); };
  return {
      {"rows", "batches", [](const GenerationModel& m) { return Cell(static_cast<std::int64_t>(m.rows)); }},
      {"gpus", "kinds of GPUs", [count](const GenerationModel& m) { return count(m.gpus.size()); }},
      {"engines", "engines", [count](const GenerationModel& m) { return count(m.engines.size()); }},
      {"mean_error_fitted", "error, fitted rows",
       [](const GenerationModel& m) { return percent_cell(m.mean_error); }, essential},
  };
}

}  // namespace

Result llm_fit_result(const GenerationModel& model) {
  return {.schema = "sextant.fit-llm-generation/1", .facts = facts_of(generation_fit_fields(), model)};
}

Result llm_fit_result(const KernelModel& model) {
  return {.schema = "sextant.fit-llm-kernels/1", .facts = facts_of(kernel_fit_fields(), model)};
}

Result llm_fit_result(const StepModel& model) {
  return {.schema = "sextant.fit-llm-steps/1", .facts = facts_of(llm_fit_fields(), model)};
}

}  // namespace sextant::report
