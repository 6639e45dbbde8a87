// sextant accuracy: the error of the models on devices, networks and batches that they have not seen.
#include "sextant/ask/accuracy.h"

#include <memory>

#include "catalog_option.h"
#include "output_file.h"
#include "progress.h"
#include "sextant/cli/command.h"
#include "sextant/cli/run.h"
#include "sextant/report/stack_report.h"

namespace sextant::cli::command_accuracy {
namespace {

struct AccuracyArgs {
  ask::AccuracyQuestion question;
  std::optional<std::string> out;
};

int accuracy(const AccuracyArgs& args, const Io& io, const Globals& globals) {
  std::optional<OutputFile> out = output_file(args.out, io);
  const auto lines = ask::accuracy(args.question, *shared_catalog(io, globals), *progress_on(io));
  if (out) {
    out->stream() << report::accuracy_page(lines);
    out->commit();
  }
  write_result(io, globals, report::accuracy_result(lines));
  return kDone;
}

}  // namespace

std::vector<Command> plugin() {
  const auto args = std::make_shared<AccuracyArgs>();
  return {
      {.path = "accuracy",
       .wish = Wish::look_up,
       .summary = "error of the models on devices, networks, placements and systems left out of their fit",
       .details = "Reads the measured tables that the models were made of, fits without each part in turn, "
                  "and compares. Takes a few minutes.",
       .examples = {"sextant accuracy --data ../shared/data --out docs/accuracy.md"},
       .options = {{.name = "data",
                    .summary = "folder with the measured tables",
                    .target = &args->question.data,
                    .value_name = "DIR",
                    .required = true},
                   {.name = "only",
                    .summary =
                        "measure only the lines in whose name this text stands, such as 'PROFET, a whole'",
                    .target = &args->question.only,
                    .value_name = "TEXT"},
                   {.name = "out",
                    .summary = "the page to write, in Markdown",
                    .target = &args->out,
                    .value_name = "FILE",
                    .writes = Writes::file}},
       .run = [args](const Io& io, const Globals& globals) { return accuracy(*args, io, globals); }}};
}

}  // namespace sextant::cli::command_accuracy
