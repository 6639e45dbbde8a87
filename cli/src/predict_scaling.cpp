#include "predict_scaling.h"

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <ostream>

#include "case_io.h"
#include "output_file.h"
#include "sextant/cli/run.h"
#include "sextant/report/scaling_report.h"
#include "sextant/scaling/fit.h"

namespace sextant {
namespace {

std::string reason(const InputError& error) {
  return error.hint().empty() ? error.message() : error.message() + " (" + error.hint() + ")";
}

ScalingAnswer answer(const ScalingModel& model, const ScalingColumns& columns, std::size_t row) {
  try {
    return {predict_step(model, columns.question(row)), {}};
  } catch (const InputError& error) {
    return {{}, reason(error)};
  }
}

// The row of an evaluation must be answered: a judgement on part of the rows would flatter.
ScalingEvaluated evaluated(const ScalingModel& model, const CsvTable& table, const ScalingRow& row) {
  try {
    return {row.step, predict_step(model, row.at)};
  } catch (const InputError& error) {
    throw InputError({table.file_name()}, error.message(), error.hint());
  }
}

}  // namespace

bool names_scaling_model(const std::string& model) {
  if (ships_scaling_model(model)) return true;
  try {
    return is_scaling_model(read_json_file(model));
  } catch (const std::exception&) {
    return false;  // whoever reads it next says what is wrong
  }
}

int predict_scaling(const PredictArgs& args, const CsvTable& table, const Io& io) {
  ScalingModel model = find_scaling_model(*args.model);
  if (args.measured) {
    model = adapt_scaling(std::move(model), read_scaling_rows(CsvTable::read_file(*args.measured)));
  }
  const bool to_file = args.out && *args.out != "-";
  const auto file = to_file ? std::make_unique<OutputFile>(*args.out) : nullptr;
  const ScalingColumns columns(table);
  std::vector<ScalingAnswer> answers;
  for (std::size_t row = 0; row < table.rows(); ++row) answers.push_back(answer(model, columns, row));
  write_scaling_answers(to_file ? file->stream() : io.out, table, answers);
  if (to_file) file->commit();
  std::vector<std::string_view> errors;
  for (const auto& each : answers) errors.emplace_back(each.error);
  summarize_cases(io, table.file_name(), errors);
  return kDone;
}

int evaluate_scaling(const ScalingEvaluateArgs& args, const Io& io, const Globals& globals) {
  const ScalingModel model = find_scaling_model(args.model);
  std::vector<ScalingEvaluated> rows;
  std::optional<OutputFile> out;
  if (args.out && args.data.size() != 1) throw InputError({"--out"}, "needs --data to be one file");
  if (args.out) out.emplace(*args.out);
  for (const auto& file : args.data) {
    const CsvTable table = CsvTable::read_file(file);
    for (const auto& row : read_scaling_rows(table)) rows.push_back(evaluated(model, table, row));
    if (!out) continue;
    const ScalingColumns columns(table);
    std::vector<ScalingAnswer> answers;
    for (std::size_t row = 0; row < table.rows(); ++row) answers.push_back(answer(model, columns, row));
    write_scaling_answers(out->stream(), table, answers);
    out->commit();
  }
  if (args.residuals) {
    OutputFile residuals(*args.residuals);
    residuals.stream() << to_svg(scaling_residuals(rows));
    residuals.commit();
  }
  write_table(io, globals, scaling_evaluation_table(rows));
  return kDone;
}

}  // namespace sextant
