// sextant fit: learn a response from columns of CSV files, with an error measured on rows left out.
#include "sextant/learn/fit.h"

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "fit_collective.h"
#include "fit_kernel.h"
#include "fit_scaling.h"
#include "output_file.h"
#include "progress.h"
#include "sextant/cli/command.h"
#include "sextant/cli/run.h"
#include "sextant/core/provenance.h"
#include "sextant/core/text.h"
#include "sextant/predict/recipe.h"
#include "sextant/report/regression_report.h"

namespace sextant {
namespace {

struct FitArgs {
  std::vector<std::string> data;
  std::string response;
  std::vector<std::string> features = {"all"};
  std::vector<std::string> methods = {"auto"};
  std::vector<std::string> set;
  std::string validate = "kfold:5";
  std::string out;
  std::optional<std::string> residuals;
  std::int64_t threads = 0;
  KernelFitArgs kernel;
};

Parameters fixed_parameters(const std::vector<std::string>& assignments) {
  Parameters fixed;
  for (const auto& text : assignments) {
    const auto parts = split(text, '=');
    const auto value = parts.size() == 2 ? to_number(trim(parts[1])) : std::nullopt;
    if (!value) throw InputError({"--set"}, "'" + text + "' is not NAME=NUMBER", "as in --set degree=2");
    fixed[std::string(trim(parts[0]))] = *value;
  }
  return fixed;
}

FitRequest request_of(const FitArgs& args, const Globals& globals) {
  return {.data = {.response = args.response, .features = args.features},
          .methods = args.methods,
          .fixed = fixed_parameters(args.set),
          .validation = parse_validation(args.validate),
          .seed = static_cast<std::uint64_t>(globals.seed),
          .threads = static_cast<std::size_t>(args.threads)};
}

std::string model_text(const Model& model, const FitArgs& args, const Globals& globals) {
  Json json = to_json(model);
  if (!globals.no_provenance) {
    Provenance from = provenance_now(globals.command_line, static_cast<std::uint64_t>(globals.seed));
    for (const auto& file : args.data) from.inputs.emplace_back(file, sha256_hex(read_text_file(file)));
    json["provenance"] = to_json(from);
  }
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

// Models of their own, which are not regressions on columns.
constexpr const char* kKernel = "kernel";
constexpr const char* kCollective = "collective";
constexpr const char* kScaling = "scaling";

bool wants(const FitArgs& args, const char* method) {
  const bool asked = std::ranges::find(args.methods, method) != args.methods.end();
  if (asked && args.methods.size() > 1) {
    throw InputError({"--method"}, std::string(method) + " is not a regression on columns and stands alone");
  }
  return asked;
}

bool wants_kernel(const FitArgs& args) {
  const bool asked = wants(args, kKernel);
  if (!asked && (args.kernel.recipe || args.kernel.stack || args.kernel.start)) {
    throw InputError({"--method"}, "--recipe, --stack and --start belong to --method kernel");
  }
  if (!asked && args.response.empty())
    throw InputError({"--response"}, "is missing: which column to predict?");
  return asked;
}

int fit_stack_of(const FitArgs& args, const Io& io, const Globals& globals) {
  KernelFitArgs kernel = args.kernel;
  kernel.data = args.data;
  kernel.out = args.out;
  if (!args.response.empty()) kernel.response = args.response;
  return fit_kernel(kernel, io, globals);
}

int fit(const FitArgs& args, const Io& io, const Globals& globals) {
  if (wants(args, kCollective)) return fit_collective({args.data, args.out}, io, globals);
  if (wants(args, kScaling)) return fit_scaling_law({args.data, args.out}, io, globals);
  if (wants_kernel(args)) return fit_stack_of(args, io, globals);
  OutputFile out(args.out);
  std::optional<OutputFile> residuals;
  if (args.residuals) residuals.emplace(*args.residuals);
  const FitRequest request = request_of(args, globals);
  const auto tables = DataTables::read_files(args.data);
  const FitReport report = fit_model(tables, request, *progress_on(io));
  out.stream() << model_text(report.model, args, globals);
  out.commit();
  if (residuals) {
    residuals->stream() << to_svg(residual_plot(report));
    residuals->commit();
  }
  write_table(io, globals, methods_table(report));
  return kDone;
}

std::vector<std::string> method_names() {
  std::vector<std::string> names = {"auto", kKernel, kCollective, kScaling};
  for (const auto& method : methods().all()) names.push_back(method.id);
  return names;
}

std::vector<Option> search_options(FitArgs& args) {
  return {{.name = "method",
           .summary = "methods to compare, or auto; the best by inner validation is the model",
           .target = &args.methods,
           .value_name = "LIST",
           .names = method_names},
          {.name = "set",
           .summary = "parameters taken out of the search, as in degree=2,p-enter=0.1",
           .target = &args.set,
           .value_name = "LIST"},
          {.name = "validate",
           .summary = "kfold:K, leave-group-out:COLUMN or extrapolate:COLUMN:VALUE",
           .target = &args.validate,
           .value_name = "HOW"},
          {.name = "threads",
           .summary = "at most so many threads, 0 for all; the result does not depend on it",
           .target = &args.threads,
           .value_name = "N",
           .low = 0,
           .high = 1024}};
}

std::vector<Option> kernel_options(KernelFitArgs& args) {
  return {{.name = "recipe",
           .summary = "with --method kernel: how the files below --data become timed steps, a name or a file",
           .target = &args.recipe,
           .value_name = "R",
           .names = builtin_recipes},
          {.name = "stack",
           .summary = "with --method kernel: name of the stack that is fitted",
           .target = &args.stack,
           .value_name = "NAME"},
          {.name = "start",
           .summary = "with --method kernel: stack to start from, a name or a file",
           .target = &args.start,
           .value_name = "S"}};
}

std::vector<Option> fit_options(FitArgs& args) {
  std::vector<Option> options = {{.name = "data",
                                  .summary = "CSV files with the same columns",
                                  .target = &args.data,
                                  .value_name = "FILES",
                                  .required = true},
                                 {.name = "response",
                                  .summary = "the column to predict",
                                  .target = &args.response,
                                  .value_name = "COLUMN"},
                                 {.name = "features",
                                  .summary = "the columns to predict it from, or all",
                                  .target = &args.features,
                                  .value_name = "LIST"}};
  for (auto& option : search_options(args)) options.push_back(std::move(option));
  for (auto& option : kernel_options(args.kernel)) options.push_back(std::move(option));
  options.push_back({.name = "out",
                     .summary = "the model file",
                     .target = &args.out,
                     .value_name = "FILE",
                     .required = true});
  options.push_back({.name = "residuals",
                     .summary = "a plot of predicted against measured for the left-out rows",
                     .target = &args.residuals,
                     .value_name = "FILE.svg"});
  return options;
}

}  // namespace

std::vector<Command> command_fit() {
  const auto args = std::make_shared<FitArgs>();
  return {
      {.path = "fit",
       .summary = "learn a response from columns of measured rows",
       .details =
           "Inner folds of the training rows choose parameters and method; the error in the table and in "
           "the model file was measured on rows that chose nothing. The model is then fitted on all rows.",
       .examples = {"sextant fit --data runs.csv --response time_s --features batch,gpus --method "
                    "stepwise,ridge --validate kfold:5 --out model.json"},
       .options = fit_options(*args),
       .run = [args](const Io& io, const Globals& globals) { return fit(*args, io, globals); }}};
}

}  // namespace sextant
