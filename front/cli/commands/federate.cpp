// sextant federate: does training by many clients survive bad ones, and what does that cost?
#include <memory>
#include <nlohmann/json.hpp>
#include <ostream>

#include "federate_args.h"
#include "interrupt.h"
#include "output_file.h"
#include "progress.h"
#include "sextant/ask/measure.h"
#include "sextant/cli/command.h"
#include "sextant/cli/run.h"
#include "sextant/report/federate_report.h"

namespace sextant::cli::command_federate {
namespace {

int exit_code(const ask::FederateAnswer& answer) {
  if (answer.interrupted) return kInterrupted;
  for (const ask::FederatedRun& run : answer.runs) {
    if (!run.outcome.completed) return kFailed;
  }
  return kDone;
}

void write_files(const ask::FederateAnswer& answer, std::optional<OutputFile>& spans,
                 std::optional<OutputFile>& plot, const Io& io) {
  if (spans && !answer.runs.empty()) {
    spans->stream() << to_perfetto(answer.runs.front().outcome.spans).dump() << '\n';
    spans->commit();
  }
  if (!plot) return;
  const std::string picture = report::federations_picture(answer);
  if (picture.empty()) {
    warn(io, "nothing to draw: no federation was completed");
    return;
  }
  plot->stream() << picture;
  plot->commit();
}

int run_federate(const FederateArgs& args, const Io& io, const Globals& globals) {
  ask::FederateQuestion question = args.question;
  question.seed = static_cast<std::uint64_t>(globals.seed);
  question.spans = args.spans_out.has_value();
  std::optional<OutputFile> spans = output_file(args.spans_out, io);
  std::optional<OutputFile> plot = output_file(args.plot, io);
  if (args.db) ask::check_record_file(*args.db);
  const Interrupt interrupt;
  const ask::FederateAnswer answer =
      ask::federate(question, *told_progress_on(io),
                    {.db = args.db, .command_line = globals.command_line, .interrupted = [&] {
                       return interrupt.asked();
                     }});
  for (const std::string& warning : answer.warnings) warn(io, warning);
  write_result(io, globals, report::federations_result(answer));
  write_files(answer, spans, plot, io);
  return exit_code(answer);
}

}  // namespace

std::vector<Command> plugin() {
  const auto args = std::make_shared<FederateArgs>();
  return {
      {.path = "federate",
       .wish = Wish::measure,
       .summary = "train by many clients, some of which may attack, and say what survives",
       .details =
           "One server and many clients train a network on this machine. Options that take a LIST are swept: "
           "every combination is a federation, and each is run with --seeds seeds. With --db a sweep that "
           "was interrupted goes on where it stopped, and so does a single federation with --folder.",
       .examples =
           {"sextant federate flanders-mlp --clients 100 --sampler dirichlet:alpha=0.5 --rule krum "
            "--attack alie:share=0.2",
            "sextant federate flanders-mlp --rule mean,median,multi-krum --attack none,sign-flip,alie "
            "--seeds 5 --db runs.db --plot robustness.svg",
            "sextant federate lenet5 --clients 20 --per-round 5 --strategy tifl --speed "
            "lognormal:median=500:sigma=0.7"},
       .options = federate_options(*args),
       .run = [args](const Io& io, const Globals& globals) { return run_federate(*args, io, globals); }}};
}

}  // namespace sextant::cli::command_federate
