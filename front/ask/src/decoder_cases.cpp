#include <unordered_map>

#include "decoder_job.h"
#include "sextant/ask/predict.h"
#include "sextant/llm/memory.h"
#include "sextant/llm/step_model.h"
#include "sextant/llm/step_rows.h"

namespace sextant::ask {
namespace {

// Answers rows of one table; equal rows get one answer.
class DecoderCases {
 public:
  DecoderCases(const CsvTable& table, const catalog::Catalog& catalog, llm::StepDefaults defaults)
      : table_(table), rows_(table, catalog, std::move(defaults)), predictor_(llm::builtin_step_model()) {}

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
      const std::string column = column_of(row, error.where());
      answer.error = (column.empty() ? "" : column + ": ") + error.message() +
                     (error.hint().empty() ? "" : " (" + error.hint() + ")");
    }
    return answer;
  }

  // The column, or the part of a layout, that an error is about; empty: neither.
  [[nodiscard]] std::string column_of(std::size_t row, const SourcePos& where) const {
    if (where.field) return where.file;
    for (std::size_t column = 0; column < table_.header().size(); ++column) {
      const SourcePos cell = table_.where(row, column);
      if (cell.line == where.line && cell.column == where.column) return table_.header()[column];
    }
    return {};
  }

  static void fill(const llm::StepTime& time, predict::CaseAnswer& answer) {
    const llm::StepParts& p = time.parts;
    answer.predicted = time.step;
    answer.interval = {time.low, time.high};
    answer.breakdown = {.compute = p.matrices + p.attention + p.memory + p.launches,
                        .communication = p.tensor + p.experts + p.context + p.pipeline + p.replicas,
                        .input = {},
                        .overhead = p.optimizer};
    answer.extrapolating = !time.timed_gpu || !time.timed_stack || !time.timed_pair || !time.timed_kind;
    answer.tokens = predict::TokenRates{time.tokens_per_second_per_gpu, time.mfu};
  }

  const CsvTable& table_;
  llm::StepTable rows_;
  llm::StepPredictor predictor_;
};

// What the question says besides, as far as rows can leave it open.
llm::StepDefaults defaults_of(const PredictQuestion& question) {
  const JobFields& job = question.job;
  llm::StepDefaults defaults;
  if (!question.gpus.empty()) defaults.gpu = question.gpus.front();
  defaults.framework = framework_of(job.stack);
  const Precision said = job.precision ? job_of(job, 1).precision : Precision::bf16;
  defaults.format = format_of(said, defaults.framework);
  defaults.sequence = job.net.seq;
  return defaults;
}

// Nothing that is said is passed over.
void check_rows(const PredictQuestion& question) {
  if (question.gpus.size() > 1)
    throw InputError(at_field("gpu"), "with `cases` at most one GPU can be given, for rows that name none");
  if (question.decoder.given() || question.generation.given() || question.layout.several()) {
    throw InputError(at_field("cases"),
                     "rows of large language models say GPUs, layout, batch and tokens themselves",
                     "give these as columns of the file");
  }
  check_law_fields(question.model, question.layout.strategies);
  const bool half = !question.job.precision || is_half(job_of(question.job, 1).precision);
  if (!half) {
    throw InputError(at_field("precision"), "large language models are trained in 16 bits or less",
                     "such as '`precision` bf16'");
  }
  if (question.job.mode != JobFields{}.mode)
    throw InputError(at_field("mode"), "rows with these columns are steps of training", "leave it out");
  if (question.job.optimizer != JobFields{}.optimizer)
    throw InputError(at_field("optimizer"), "rows of large language models are answered for Adam",
                     "leave it out");
}

}  // namespace

bool names_decoders(const CsvTable& cases) {
  return llm::is_step_table(cases);
}

predict::CaseAnswers predict_decoder_cases(const PredictQuestion& question, const CsvTable& cases,
                                           const catalog::Catalog& catalog) {
  check_rows(question);
  return DecoderCases(cases, catalog, defaults_of(question)).all();
}

}  // namespace sextant::ask
