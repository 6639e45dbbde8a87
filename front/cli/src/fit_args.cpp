#include "fit_args.h"

#include "sextant/predict/recipe.h"

namespace sextant::cli {
namespace {

std::vector<std::string> method_names() {
  std::vector<std::string> names = {"auto",
                                    ask::kKernelMethod,
                                    ask::kCollectiveMethod,
                                    ask::kScalingMethod,
                                    ask::kLlmStepsMethod,
                                    ask::kLlmKernelsMethod};
  for (const auto& method : learn::methods().all()) names.push_back(method.id);
  return names;
}

std::vector<Option> search_options(ask::FitQuestion& args) {
  return {
      {.name = "method",
       .summary = "methods to compare, or auto; the one that inner validation finds best becomes the model",
       .target = &args.methods,
       .value_name = "LIST",
       .names = method_names},
      {.name = "set",
       .summary = "parameters with a fixed value, which are not searched: degree=2,p-enter=0.1",
       .target = &args.set,
       .value_name = "LIST"},
      {.name = "validate",
       .summary = "how rows are left out to measure the error: kfold:K, leave-group-out:COLUMN or "
                  "extrapolate:COLUMN:VALUE",
       .target = &args.validate,
       .value_name = "HOW"},
      {.name = "threads",
       .summary = "how many threads to use at most, 0 for all cores; the result does not depend on it",
       .target = &args.threads,
       .value_name = "N",
       .low = 0,
       .high = 1024}};
}

std::vector<Option> kernel_options(ask::FitQuestion& args) {
  return {{.name = "recipe",
           .summary = "with --method kernel: how the files below --data become timed steps, a name or a file",
           .target = &args.recipe,
           .value_name = "R",
           .names = predict::builtin_recipes},
          {.name = "stack",
           .summary = "with --method kernel: name of the stack that is fitted",
           .target = &args.stack,
           .value_name = "NAME"},
          {.name = "start",
           .summary = "with --method kernel: stack to start from, a name or a file",
           .target = &args.start,
           .value_name = "S"},
          {.name = "map",
           .summary = "with --method kernel: columns of runs exported from W&B or MLflow, as in "
                      "batch=params.bs,measured_ms=metrics.step",
           .target = &args.map,
           .value_name = "LIST"}};
}

}  // namespace

std::vector<Option> fit_options(FitArgs& args) {
  std::vector<Option> options = {{.name = "data",
                                  .summary = "CSV files with the same columns",
                                  .target = &args.question.data,
                                  .value_name = "FILES",
                                  .required = true},
                                 {.name = "response",
                                  .summary = "the column to predict",
                                  .target = &args.question.response,
                                  .value_name = "COLUMN"},
                                 {.name = "features",
                                  .summary = "the columns to predict the response from, or all",
                                  .target = &args.question.features,
                                  .value_name = "LIST"}};
  for (auto& option : search_options(args.question)) options.push_back(std::move(option));
  for (auto& option : grouped("Kernel stacks", kernel_options(args.question)))
    options.push_back(std::move(option));
  options.push_back({.name = "out",
                     .summary = "file to write the model to",
                     .target = &args.out,
                     .value_name = "FILE",
                     .required = true,
                     .writes = Writes::file});
  options.push_back({.name = "plot",
                     .summary = "draw predicted against measured values of the left-out rows into this file",
                     .target = &args.plot,
                     .value_name = "FILE.svg",
                     .writes = Writes::picture,
                     .former = {"residuals"}});
  put_under("Search for the model", {"set", "threads"}, options);
  return options;
}

}  // namespace sextant::cli
