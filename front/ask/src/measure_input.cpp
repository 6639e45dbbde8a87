#include "sextant/ask/measure_input.h"

#include "sextant/core/unit_text.h"

namespace sextant::ask {

MeasureInputAnswer measure_input(const MeasureInputQuestion& question, Progress& progress) {
  measure::InputDesign design;
  design.formats = question.formats;
  design.batches = question.batch;
  design.batch_counts = question.batches;
  design.samples = question.samples;
  design.prefetch = question.prefetch;
  design.cache = question.cache;
  design.repetitions = question.repetitions;
  design.shape = {3, question.image, question.image};
  design.data = question.data;
  design.scratch =
      question.scratch ? std::filesystem::path(*question.scratch) : std::filesystem::temp_directory_path();
  design.budget_s = parse_seconds(question.budget, at_field("budget")).value;
  design.seed = question.seed;
  MeasureInputAnswer answer{.report = measure::measure_input(design, progress)};
  if (!answer.report.complete) {
    answer.warnings.emplace_back("the budget ended before all repetitions were made");
  }
  return answer;
}

}  // namespace sextant::ask
