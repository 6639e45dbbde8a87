// sextant evaluate: the error of a fitted model on new rows.
#include "sextant/ask/evaluate.h"

#include <memory>

#include "output_file.h"
#include "sextant/ask/predict.h"
#include "sextant/cli/command.h"
#include "sextant/cli/run.h"
#include "sextant/core/text.h"
#include "sextant/report/case_report.h"
#include "sextant/report/regression_report.h"
#include "sextant/report/render.h"
#include "sextant/report/scaling_report.h"

namespace sextant::cli::command_evaluate {
namespace {

struct EvaluateArgs {
  ask::EvaluateQuestion question;
  std::optional<std::string> out;
  std::optional<std::string> plot;
};

// How each kind of evaluation is shown.
struct Shown {
  const EvaluateArgs& args;

  void rows(const ask::RegressionEvaluation& e, std::ostream& out) const {
    render_csv(out, report::predictions_table(e.tables, e.evaluation));
  }
  void rows(const ask::ScalingEvaluation&, std::ostream& out) const {
    const ask::PredictQuestion law{.model = {.model = args.question.model}};
    const CsvTable table = CsvTable::read_file(args.question.data.front());
    const predict::CaseAnswers answers = predict_scaling_cases(law, table);
    write_cases_csv(out, report::case_answers(table, answers));
  }
  static report::Scatter plot(const ask::RegressionEvaluation& e) {
    report::Scatter plot = report::residual_plot(e.model, e.evaluation);
    if (!e.seen.empty()) plot.title = e.model.method + " on the data that it was fitted on";
    return plot;
  }
  static report::Scatter plot(const ask::ScalingEvaluation& e) { return report::scaling_residuals(e); }
  static report::Result result(const ask::RegressionEvaluation& e) {
    return report::evaluation_result(e.model, e.evaluation);
  }
  static report::Result result(const ask::ScalingEvaluation& e) { return report::evaluation_result(e); }
};

// An error on rows that chose the model flatters it.
void warn_of_seen(const Io& io, const ask::EvaluateAnswer& answer) {
  const auto* regression = std::get_if<ask::RegressionEvaluation>(&answer);
  if (regression == nullptr || regression->seen.empty()) return;
  warn(io, "the model was fitted on " + join(regression->seen, ", ") +
               ": its error on new rows is larger than on these; 'sextant fit' measured it on rows left out");
}

int evaluate(const EvaluateArgs& args, const Io& io, const Globals& globals) {
  const ask::EvaluateAnswer answer = ask::evaluate(args.question);
  const bool law = std::holds_alternative<ask::ScalingEvaluation>(answer);
  if (law && args.out && args.question.data.size() != 1)
    throw InputError({"--out"}, "the answers go to one file where --data is one file");
  const Shown shown{args};
  if (auto out = output_file(args.out, io)) {
    std::visit([&](const auto& e) { shown.rows(e, out->stream()); }, answer);
    out->commit();
  }
  if (auto plot = output_file(args.plot, io)) {
    plot->stream() << to_svg(std::visit([](const auto& e) { return Shown::plot(e); }, answer));
    plot->commit();
  }
  write_result(io, globals, std::visit([](const auto& e) { return Shown::result(e); }, answer));
  warn_of_seen(io, answer);
  return kDone;
}

std::vector<Option> evaluate_options(EvaluateArgs& args) {
  return {{.name = "model",
           .summary = "a file that sextant fit wrote",
           .target = &args.question.model,
           .value_name = "FILE",
           .required = true},
          {.name = "data",
           .summary = "CSV files with the model's columns and its response",
           .target = &args.question.data,
           .value_name = "FILES",
           .required = true},
          {.name = "out",
           .summary = "write the rows into this CSV, with the columns predicted, low, high and extrapolating",
           .target = &args.out,
           .value_name = "FILE",
           .writes = Writes::file},
          {.name = "plot",
           .summary = "draw predicted against measured values into this file",
           .target = &args.plot,
           .value_name = "FILE.svg",
           .writes = Writes::picture,
           .former = {"residuals"}}};
}

}  // namespace

std::vector<Command> plugin() {
  const auto args = std::make_shared<EvaluateArgs>();
  return {{.path = "evaluate",
           .wish = Wish::learn,
           .summary = "the error of a fitted model on new rows",
           .details = "",
           .examples = {"sextant evaluate --model model.json --data new.csv --out predictions.csv"},
           .options = evaluate_options(*args),
           .run = [args](const Io& io, const Globals& globals) { return evaluate(*args, io, globals); }}};
}

}  // namespace sextant::cli::command_evaluate
