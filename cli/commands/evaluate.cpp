// sextant evaluate: the error of a fitted model on new rows.
#include <memory>
#include <nlohmann/json.hpp>

#include "output_file.h"
#include "predict_scaling.h"
#include "sextant/cli/command.h"
#include "sextant/cli/run.h"
#include "sextant/learn/fit.h"
#include "sextant/report/regression_report.h"
#include "sextant/report/render.h"

namespace sextant {
namespace {

struct EvaluateArgs {
  std::string model;
  std::vector<std::string> data;
  std::optional<std::string> out;
  std::optional<std::string> residuals;
};

int evaluate(const EvaluateArgs& args, const Io& io, const Globals& globals) {
  if (names_scaling_model(args.model)) {
    return evaluate_scaling({args.model, args.data, args.out, args.residuals}, io, globals);
  }
  const Model model = read_model_file(args.model);
  const auto tables = DataTables::read_files(args.data);
  const Evaluation evaluation = evaluate_model(model, tables);
  if (args.out) {
    OutputFile out(*args.out);
    render_csv(out.stream(), predictions_table(tables, evaluation));
    out.commit();
  }
  if (args.residuals) {
    OutputFile residuals(*args.residuals);
    residuals.stream() << to_svg(residual_plot(model, evaluation));
    residuals.commit();
  }
  write_table(io, globals, evaluation_table(model, evaluation));
  return kDone;
}

std::vector<Option> evaluate_options(EvaluateArgs& args) {
  return {{.name = "model",
           .summary = "a file that sextant fit wrote",
           .target = &args.model,
           .value_name = "FILE",
           .required = true},
          {.name = "data",
           .summary = "CSV files with the model's columns and its response",
           .target = &args.data,
           .value_name = "FILES",
           .required = true},
          {.name = "out",
           .summary = "CSV of the rows with predicted, low, high, extrapolating",
           .target = &args.out,
           .value_name = "FILE"},
          {.name = "residuals",
           .summary = "a plot of predicted against measured",
           .target = &args.residuals,
           .value_name = "FILE.svg"}};
}

}  // namespace

std::vector<Command> command_evaluate() {
  const auto args = std::make_shared<EvaluateArgs>();
  return {{.path = "evaluate",
           .summary = "the error of a fitted model on new rows",
           .details = "",
           .examples = {"sextant evaluate --model model.json --data new.csv --out predictions.csv"},
           .options = evaluate_options(*args),
           .run = [args](const Io& io, const Globals& globals) { return evaluate(*args, io, globals); }}};
}

}  // namespace sextant
