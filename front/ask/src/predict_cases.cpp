#include <nlohmann/json.hpp>
#include <numeric>

#include "decoder_aware.h"
#include "sextant/ask/predict.h"
#include "sextant/parallel/cluster_predictor.h"
#include "sextant/scaling/fit.h"

namespace sextant::ask {
namespace {

// With a file of cases a field is a default, of which there is one.
void check_defaults(const PredictQuestion& question) {
  if (question.gpus.size() > 1) {
    throw InputError(at_field("gpu"),
                     "with `cases` at most one GPU can be given: it is the default of rows that name none");
  }
  if (question.batches.size() > 1) {
    throw InputError(at_field("batch"),
                     "with `cases` at most one batch can be given: it is the default of rows that name none");
  }
  if (question.max_batch)
    throw InputError(at_field("max_batch"), "the largest batch cannot be asked for with `cases`");
  if (!question.machines.empty()) {
    throw InputError(at_field("machine"), "machines cannot be given with `cases`",
                     "name the GPU in the column 'gpu'");
  }
}

jobs::Layout only_layout(const LayoutFields& fields) {
  const auto all = layouts_of(fields, nullptr);
  if (all.size() == 1) return all.front();
  throw InputError(at_field("count"),
                   "with `cases` at most one layout can be given: it is the default of rows that name none");
}

std::string why_not(const InputError& error) {
  return error.hint().empty() ? error.message() : error.message() + " (" + error.hint() + ")";
}

// The law says nothing of memory.
predict::CaseAnswer scaling_answer(const scaling::ScalingModel& law, const scaling::ScalingColumns& columns,
                                   std::size_t row) {
  predict::CaseAnswer answer;
  try {
    const scaling::ScaledStep step = predict_step(law, columns.question(row));
    answer.predicted = step.predicted;
    answer.interval = {step.low, step.high};
    answer.breakdown = {
        .compute = step.compute, .communication = step.communication, .input = {}, .overhead = {}};
    answer.extrapolating = step.extrapolating;
  } catch (const InputError& error) {
    answer.error = why_not(error);
  }
  return answer;
}

}  // namespace

bool names_scaling_model(const std::string& model) {
  if (scaling::ships_scaling_model(model)) return true;
  try {
    return scaling::is_scaling_model(read_json_file(model));
  } catch (const std::exception&) {
    return false;  // whoever reads it next says what is wrong
  }
}

predict::CaseAnswers predict_cases(const PredictQuestion& question, const CsvTable& cases,
                                   const catalog::Catalog& catalog, Remarks* remarks) {
  check_defaults(question);
  const std::int64_t batch = question.batches.empty() ? kUsualBatch : question.batches.front();
  jobs::Job usual = job_of(question.job, batch);
  usual.duration = duration_of(question.samples, question.epochs);
  const auto one_device = make_predictor(question.model, usual, catalog, remarks);
  const parallel::ClusterPredictor cluster(catalog, *one_device);
  const bool own =
      question.model.measured || question.model.model || question.model.predictor != ModelFields{}.predictor;
  const DecoderAware decoders(catalog, cluster);
  const predict::Predictor& predictor = own ? static_cast<const predict::Predictor&>(cluster) : decoders;
  usual.layout = only_layout(question.layout);
  predict::CaseDefaults defaults{.gpu = question.gpus.empty() ? "" : question.gpus.front(), .job = usual};
  if (!own && !question.job.precision) {
    defaults.usual_precision = [](const nets::Network& network, const jobs::Job& job) {
      return trains_decoders(job.stack) && trains_in_bf16(network, job, {}) ? Precision::bf16 : job.precision;
    };
  }
  return predict::answer_cases(cases, {catalog, predictor, std::move(defaults)});
}

predict::CaseAnswers predict_scaling_cases(const PredictQuestion& question, const CsvTable& cases) {
  check_defaults(question);
  scaling::ScalingModel law = scaling::find_scaling_model(question.model.model.value_or(""));
  if (question.model.measured) {
    const auto timed = scaling::read_scaling_rows(CsvTable::read_file(*question.model.measured));
    law = adapt_scaling(std::move(law), timed);
  }
  const scaling::ScalingColumns columns(cases);
  predict::CaseAnswers answers;
  for (std::size_t row = 0; row < cases.rows(); ++row)
    answers.distinct.push_back(scaling_answer(law, columns, row));
  answers.of_row.resize(cases.rows());
  std::iota(answers.of_row.begin(), answers.of_row.end(), 0U);
  return answers;
}

}  // namespace sextant::ask
