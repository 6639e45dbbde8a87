#include "predict_cases.h"

#include <algorithm>

#include "case_io.h"
#include "catalog_option.h"
#include "field_words.h"
#include "sextant/cli/run.h"
#include "sextant/report/case_report.h"

namespace sextant::cli {
namespace {

predict::CaseAnswers answer(const PredictArgs& args, const CsvTable& table, const Io& io,
                            const Globals& globals) {
  const std::optional<std::string>& model = args.question.model.model;
  if (model && ask::names_scaling_model(*model)) return predict_scaling_cases(args.question, table);
  if (ask::names_decoders(table))
    return ask::predict_decoder_cases(args.question, table, *shared_catalog(io, globals));
  for (const auto& line : predict::misspelt_columns(table)) warn(io, line);
  ask::Remarks remarks;
  predict::CaseAnswers answers = predict_cases(args.question, table, *shared_catalog(io, globals), &remarks);
  for (const auto& line : remarks.notes) note(io, line);
  for (const auto& line : remarks.warnings) warn(io, line);
  return answers;
}

}  // namespace

int predict_cases(const PredictArgs& args, const Io& io, const Globals& globals) {
  const CsvTable table = read_cases(*args.cases);
  CaseOutput out(args.out, io);
  predict::CaseAnswers answers = answer(args, table, io, globals);
  for (predict::CaseAnswer& one : answers.distinct) one.error = said(io, std::move(one.error));
  out.write(io, globals, report::case_answers(table, answers));
  std::vector<std::string_view> errors;
  for (const std::uint32_t each : answers.of_row) errors.emplace_back(answers.distinct[each].error);
  summarize_cases(io, table.file_name(), errors);
  const auto bounded = std::ranges::count_if(answers.of_row, [&](std::uint32_t each) {
    return answers.distinct[each].error.empty() && !answers.distinct[each].interval.high;
  });
  if (bounded > 0) {
    warn(io,
         "answers without an upper end are lower bounds: an operator is unknown, or the predictor bounds "
         "times "
         "from below only (rows: " +
             std::to_string(bounded) + ")");
  }
  return kDone;
}

}  // namespace sextant::cli
