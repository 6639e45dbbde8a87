#include "predict_cases.h"

#include <memory>
#include <ostream>

#include "case_io.h"
#include "catalog_option.h"
#include "output_file.h"
#include "predict_scaling.h"
#include "sextant/cli/run.h"
#include "sextant/parallel/cluster_predictor.h"
#include "sextant/report/case_report.h"

namespace sextant {
namespace {

void refuse_what_has_no_meaning(const PredictArgs& args, const Globals& globals) {
  if (args.gpus.size() > 1) {
    throw InputError({"--gpu"}, "with --cases one GPU at most: the default of rows that name none");
  }
  if (args.batches.size() > 1) {
    throw InputError({"--batch"}, "with --cases one size at most: the default of rows that name none");
  }
  if (args.max_batch) throw InputError({"--max-batch"}, "cannot be asked of --cases");
  if (!args.machines.empty()) {
    throw InputError({"--machine"}, "cannot be asked of --cases", "name the GPU in the column 'gpu'");
  }
  const Format format = globals.chosen_format();
  if (format == Format::json || format == Format::markdown) {
    throw InputError({"--format"}, "answers to --cases are CSV");
  }
}

}  // namespace

int predict_cases(const PredictArgs& args, const Io& io, const Globals& globals) {
  refuse_what_has_no_meaning(args, globals);
  if (args.model && names_scaling_model(*args.model))
    return predict_scaling(args, read_cases(*args.cases), io);
  const Catalog catalog = open_catalog(io, globals);
  const auto one_device = make_predictor(args, catalog);
  const ClusterPredictor predictor(catalog, *one_device);
  const CsvTable table = read_cases(*args.cases);
  for (const auto& line : misspelt_columns(table)) warn(io, line);
  const bool to_file = args.out && *args.out != "-";
  const auto file = to_file ? std::make_unique<OutputFile>(*args.out) : nullptr;
  const CaseAnswers answers = answer_cases(table, {catalog, predictor, case_defaults(args)});
  write_case_answers(to_file ? file->stream() : io.out, table, answers);
  if (to_file) file->commit();
  std::vector<std::string_view> errors;
  for (const std::uint32_t answer : answers.of_row) errors.emplace_back(answers.distinct[answer].error);
  summarize_cases(io, table.file_name(), errors);
  return kDone;
}

}  // namespace sextant
