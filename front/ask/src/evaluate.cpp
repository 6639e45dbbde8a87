#include "sextant/ask/evaluate.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "sextant/ask/predict.h"
#include "sextant/core/json.h"
#include "sextant/core/provenance.h"
#include "sextant/scaling/fit.h"

namespace sextant::ask {
namespace {

// The row of an evaluation must be answered: a judgement on part of the rows would flatter.
ScalingEvaluation::Step evaluated_step(const scaling::ScalingModel& law, const CsvTable& table,
                                       const scaling::ScalingRow& row) {
  try {
    return {row.step, predict_step(law, row.at)};
  } catch (const InputError& error) {
    throw InputError({table.file_name()}, error.message(), error.hint());
  }
}

void judge_steps(ScalingEvaluation& e) {
  std::vector<double> errors;
  double sum = 0;
  std::int64_t covered = 0;
  for (const auto& [measured, answer] : e.steps) {
    errors.push_back(std::abs(answer.predicted.value - measured.value) / measured.value);
    sum += errors.back();
    covered += answer.low <= measured && measured <= answer.high ? 1 : 0;
    e.extrapolating += answer.extrapolating ? 1 : 0;
  }
  std::ranges::sort(errors);
  const auto n = static_cast<double>(errors.size());
  const auto at = [&](double q) { return errors[static_cast<std::size_t>(q * (n - 1))]; };
  e.mean_error = sum / n;
  e.median_error = at(0.5);
  e.p90_error = at(0.9);
  e.coverage = static_cast<double>(covered) / n;
}

ScalingEvaluation evaluate_law(const EvaluateQuestion& question) {
  const scaling::ScalingModel law = scaling::find_scaling_model(question.model);
  ScalingEvaluation evaluation;
  for (const auto& file : question.data) {
    const CsvTable table = CsvTable::read_file(file);
    for (const auto& row : scaling::read_scaling_rows(table))
      evaluation.steps.push_back(evaluated_step(law, table, row));
  }
  judge_steps(evaluation);
  return evaluation;
}

// By the hashes that the model file keeps; a file without them tells nothing.
std::vector<std::string> seen_by(const EvaluateQuestion& question) {
  const Json model = read_json_file(question.model);
  std::set<std::string> hashes;
  const Json inputs = model.value("/provenance/inputs"_json_pointer, Json::array());
  for (const Json& input : inputs) {
    if (input.is_object() && input.contains("sha256") && input.at("sha256").is_string())
      hashes.insert(input.at("sha256").get<std::string>());
  }
  std::vector<std::string> seen;
  for (const std::string& file : question.data) {
    if (hashes.contains(sha256_of_file(file))) seen.push_back(file);
  }
  return seen;
}

}  // namespace

EvaluateAnswer evaluate(const EvaluateQuestion& question) {
  if (question.data.empty()) throw InputError(at_field("data"), "there are no rows to evaluate on");
  if (names_scaling_model(question.model)) return evaluate_law(question);
  RegressionEvaluation answer{.model = learn::read_model_file(question.model),
                              .tables = learn::DataTables::read_files(question.data),
                              .evaluation = {}};
  answer.evaluation = evaluate_model(answer.model, answer.tables);
  answer.seen = seen_by(question);
  return answer;
}

}  // namespace sextant::ask
