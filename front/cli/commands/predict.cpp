// sextant predict: time, cost and memory of a step, on devices or on machines of the catalogue.
#include <memory>

#include "catalog_option.h"
#include "predict_args.h"
#include "predict_cases.h"
#include "sextant/cli/command.h"
#include "sextant/cli/run.h"
#include "sextant/report/prediction_report.h"

namespace sextant::cli::command_predict {
namespace {

int predict(const PredictArgs& args, const Io& io, const Globals& globals) {
  if (args.cases) return predict_cases(args, io, globals);
  if (args.out)
    throw InputError({"--out"}, "only the answers to --cases can be written to a file",
                     "'--cases FILE.csv --out FILE.csv'");
  if (args.question.job.net.name.empty()) {
    throw InputError({}, "NET is missing: network of the zoo, or an ONNX file",
                     "or '--cases FILE.csv'; see 'sextant predict --help'");
  }
  const ask::PredictAnswers answers = ask::predict(args.question, *shared_catalog(io, globals));
  for (const auto& line : answers.reading) note(io, line);
  for (const auto& warning : answers.warnings) warn(io, warning);
  if (answers.list.empty()) throw InputError({"--strategy"}, "no layout of those asked for is possible");
  write_result(io, globals, report::predictions_result(answers.list, answers.notes));
  return answers.feasible ? kDone : kInfeasible;
}

}  // namespace

std::vector<Command> plugin() {
  const auto args = std::make_shared<PredictArgs>();
  return {{.path = "predict",
           .wish = Wish::plan,
           .summary = "time, memory and cost of a step, on GPUs or machines of the catalogue",
           .details =
               "With lists, every combination is answered: every GPU with every batch size. Put many "
               "questions into a CSV\n"
               "with the columns net, gpu, count, batch, image, seq, classes, mode, precision, stack, "
               "optimizer, nodes,\nplacement, strategy and network. Empty cells take the value of the "
               "option; other columns are copied, except\n"
               "those of an older answer, which are replaced; and a row that cannot be predicted says why "
               "in its column\n'error'.",
           .examples = {"sextant predict resnet50 --gpu v100,a100 --batch 32,64",
                        "sextant predict resnet50 --machine all --epochs 90 --samples 1281167",
                        "sextant predict resnet50 --gpu all --max-batch",
                        "sextant predict vgg16 --machine aws/p3.16xlarge --nodes 1,2,4 --strategy auto,data",
                        "sextant predict --cases cases.csv --out answers.csv"},
           .options = predict_options(*args),
           .run = [args](const Io& io, const Globals& globals) { return predict(*args, io, globals); }}};
}

}  // namespace sextant::cli::command_predict
