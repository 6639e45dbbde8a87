// sextant fit: learn a response from columns of CSV files, with an error measured on rows left out.
#include "sextant/ask/fit.h"

#include <memory>
#include <nlohmann/json.hpp>

#include "catalog_option.h"
#include "fit_args.h"
#include "output_file.h"
#include "progress.h"
#include "sextant/cli/run.h"
#include "sextant/core/provenance.h"
#include "sextant/report/collective_report.h"
#include "sextant/report/llm_report.h"
#include "sextant/report/regression_report.h"
#include "sextant/report/scaling_report.h"
#include "sextant/report/stack_report.h"

namespace sextant::cli::command_fit {
namespace {

void write_model(OutputFile& out, const Json& json) {
  out.stream() << json.dump(1, ' ', false, Json::error_handler_t::replace) << "\n";
  out.commit();
}

Json with_provenance(Json model, const ask::FitQuestion& question, const Globals& globals) {
  if (globals.no_provenance) return model;
  Provenance from = provenance_now(globals.command_line, static_cast<std::uint64_t>(question.seed));
  for (const auto& file : question.data) from.inputs.emplace_back(file, sha256_hex(read_text_file(file)));
  model["provenance"] = to_json(from);
  return model;
}

report::Result fit_columns(const FitArgs& args, OutputFile& out, const Io& io, const Globals& globals) {
  std::optional<OutputFile> plot = output_file(args.plot, io);
  const auto progress = progress_on(io);
  const learn::FitReport report = fit_regression(args.question, *progress);
  write_model(out, with_provenance(to_json(report.model), args.question, globals));
  if (plot) {
    plot->stream() << to_svg(report::residual_plot(report));
    plot->commit();
  }
  return report::fit_result(report);
}

report::Result fit_stack(const ask::FitQuestion& question, OutputFile& out, Progress& progress,
                         const catalog::Catalog& catalog) {
  const ask::KernelFit fit = fit_kernel(question, catalog, progress);
  write_model(out, to_json(fit.stack));
  return report::stack_fit_result(fit);
}

// The model, once it is in the file.
template <class Model>
Model written(OutputFile& out, Model model) {
  write_model(out, to_json(model));
  return model;
}

int fit(FitArgs& args, const Io& io, const Globals& globals) {
  args.question.seed = globals.seed;
  const ask::FitQuestion& question = args.question;
  const ask::FitKind kind = kind_of(question);
  OutputFile out(args.out, io);
  const auto progress = progress_on(io);
  report::Result result;
  switch (kind) {
    case ask::FitKind::regression:
      result = fit_columns(args, out, io, globals);
      break;
    case ask::FitKind::kernel:
      result = fit_stack(question, out, *progress, *shared_catalog(io, globals));
      break;
    case ask::FitKind::collective:
      result = report::collective_fit_result(
          written(out, fit_collective(question, *shared_catalog(io, globals), *progress)));
      break;
    case ask::FitKind::scaling:
      result = report::scaling_fit_result(written(out, fit_scaling_law(question, *progress)));
      break;
    case ask::FitKind::llm_steps:
      result = report::llm_fit_result(written(out, fit_llm_steps(question, *shared_catalog(io, globals))));
      break;
    case ask::FitKind::llm_generation:
      result =
          report::llm_fit_result(written(out, fit_llm_generation(question, *shared_catalog(io, globals))));
      break;
    case ask::FitKind::llm_kernels:
      result = report::llm_fit_result(
          written(out, fit_llm_kernels(question, *shared_catalog(io, globals), *progress)));
      break;
  }
  write_result(io, globals, result);
  return kDone;
}

}  // namespace

std::vector<Command> plugin() {
  const auto args = std::make_shared<FitArgs>();
  return {
      {.path = "fit",
       .wish = Wish::learn,
       .summary = "fit a model that predicts one column from others",
       .details =
           "Inner folds of the training rows choose parameters and method; the error in the table and in "
           "the model file was measured on rows that were not used to choose the model. The model is then "
           "fitted on all rows.",
       .examples = {"sextant fit --data runs.csv --response time_s --features batch,gpus --method "
                    "stepwise,ridge --validate kfold:5 --out model.json"},
       .options = fit_options(*args),
       .run = [args](const Io& io, const Globals& globals) { return fit(*args, io, globals); }}};
}

}  // namespace sextant::cli::command_fit
