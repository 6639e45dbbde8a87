#include <unordered_map>

#include "sextant/ask/predict.h"
#include "sextant/llm/memory.h"
#include "sextant/llm/step_model.h"
#include "sextant/llm/step_rows.h"

namespace sextant::ask {
namespace {

// Answers rows of one table; equal rows get one answer.
class DecoderCases {
 public:
  DecoderCases(const CsvTable& table, const catalog::Catalog& catalog, const std::string& gpu)
      : table_(table), rows_(table, catalog, gpu), predictor_(llm::builtin_step_model()) {}

  predict::CaseAnswers all() {
    predict::CaseAnswers answers;
    answers.of_row.reserve(table_.rows());
    std::unordered_map<std::string, std::uint32_t> seen;
    std::string key;
    for (std::size_t row = 0; row < table_.rows(); ++row) {
      rows_.key(row, key);
      const auto next = static_cast<std::uint32_t>(answers.distinct.size());
      const auto [it, fresh] = seen.try_emplace(key, next);
      answers.of_row.push_back(it->second);
      if (fresh) answers.distinct.push_back(answer(row));
    }
    return answers;
  }

 private:
  predict::CaseAnswer answer(std::size_t row) {
    predict::CaseAnswer answer;
    try {
      const llm::StepCase step = rows_.step(row);
      llm::check(step);
      fill(predictor_.predict(step), answer);
      const Bytes capacity = llm::usable_memory(step.gpu);
      const llm::TrainingMemory memory = llm::training_memory(rows_.memory(row, step), capacity);
      answer.memory = memory.total();
      answer.memory_parts = predict::MemoryParts{
          .state = memory.state(), .activations = memory.activations, .allocated = memory.allocated()};
      const llm::Fit fit = llm::memory_verdict(memory, capacity).fit;
      answer.fits = fit != llm::Fit::does_not_fit;
      answer.verdict = llm::to_string(fit);
    } catch (const InputError& error) {
      answer.error = error.hint().empty() ? error.message() : error.message() + " (" + error.hint() + ")";
    }
    return answer;
  }

  static void fill(const llm::StepTime& time, predict::CaseAnswer& answer) {
    const llm::StepParts& p = time.parts;
    answer.predicted = time.step;
    answer.interval = {time.low, time.high};
    answer.breakdown = {.compute = p.matrices + p.attention + p.memory + p.launches,
                        .communication = p.tensor + p.experts + p.context + p.pipeline + p.replicas,
                        .input = {},
                        .overhead = p.optimizer};
    answer.extrapolating = !time.timed_gpu || !time.timed_stack;
    answer.tokens = predict::TokenRates{time.tokens_per_second_per_gpu, time.mfu};
  }

  const CsvTable& table_;
  llm::StepTable rows_;
  llm::StepPredictor predictor_;
};

}  // namespace

bool names_decoders(const CsvTable& cases) {
  return llm::is_step_table(cases);
}

predict::CaseAnswers predict_decoder_cases(const PredictQuestion& question, const CsvTable& cases,
                                           const catalog::Catalog& catalog) {
  if (question.gpus.size() > 1)
    throw InputError(at_field("gpu"), "with `cases` at most one GPU can be given, for rows that name none");
  if (question.decoder.given() || question.generation.given()) {
    throw InputError(at_field("cases"),
                     "rows of large language models say layout, batch and tokens themselves",
                     "give these as columns of the file");
  }
  return DecoderCases(cases, catalog, question.gpus.empty() ? "" : question.gpus.front()).all();
}

}  // namespace sextant::ask
