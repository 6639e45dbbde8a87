#include <numeric>

#include "sextant/ask/predict.h"
#include "sextant/llm/memory.h"
#include "sextant/llm/step_model.h"
#include "sextant/llm/step_rows.h"

namespace sextant::ask {
namespace {

predict::CaseAnswer decoder_case(const CsvTable& table, std::size_t row, const catalog::Catalog& catalog) {
  predict::CaseAnswer answer;
  try {
    const llm::StepCase step = llm::read_step_case(table, row, catalog);
    llm::check(step);
    const llm::StepTime time = llm::predict_step(llm::builtin_step_model(), step);
    const auto framework = table.find_column("framework");
    const Bytes capacity = llm::usable_memory(step.gpu);
    const llm::TrainingMemory memory = llm::training_memory(
        llm::memory_question(step, framework ? table.text(row, *framework) : ""), capacity);
    const llm::StepParts& p = time.parts;
    answer.predicted = time.step;
    answer.interval = {time.low, time.high};
    answer.breakdown = {.compute = p.matrices + p.attention + p.memory + p.launches,
                        .communication = p.tensor + p.experts + p.context + p.pipeline + p.replicas,
                        .input = {},
                        .overhead = p.optimizer};
    answer.memory = memory.total();
    answer.fits = llm::memory_verdict(memory, capacity).fit != llm::Fit::does_not_fit;
    answer.extrapolating = !time.timed_gpu || !time.timed_stack;
    answer.tokens = predict::TokenRates{time.tokens_per_second_per_gpu, time.mfu};
  } catch (const InputError& error) {
    answer.error = error.hint().empty() ? error.message() : error.message() + " (" + error.hint() + ")";
  }
  return answer;
}

}  // namespace

bool names_decoders(const CsvTable& cases) {
  return !cases.find_column("net") && cases.find_column("model") && cases.find_column("seq_len");
}

predict::CaseAnswers predict_decoder_cases(const CsvTable& cases, const catalog::Catalog& catalog) {
  predict::CaseAnswers answers;
  for (std::size_t row = 0; row < cases.rows(); ++row)
    answers.distinct.push_back(decoder_case(cases, row, catalog));
  answers.of_row.resize(cases.rows());
  std::iota(answers.of_row.begin(), answers.of_row.end(), 0U);
  return answers;
}

}  // namespace sextant::ask
