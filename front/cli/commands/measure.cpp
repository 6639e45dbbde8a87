// sextant measure: what does this job really do here?
#include <memory>
#include <nlohmann/json.hpp>
#include <ostream>

#include "input_args.h"
#include "interrupt.h"
#include "measure_args.h"
#include "output_file.h"
#include "progress.h"
#include "sextant/cli/command.h"
#include "sextant/cli/run.h"
#include "sextant/report/measure_report.h"

namespace sextant::cli::command_measure {
namespace {

void write_spans(OutputFile& file, const spans::SpanSet& spans, const std::string& form) {
  file.stream() << (form == "otlp" ? to_otlp(spans) : to_perfetto(spans)).dump() << '\n';
  file.commit();
}

report::Result result_of(const ask::MeasureQuestion& question, const measure::CampaignResult& campaign) {
  if (question.effects) {
    const auto effects = ask::measured_effects(question, campaign.results);
    return report::measured_effects_result(effects, question.response);
  }
  if (question.operators) return report::operator_timings_result(campaign.results);
  return report::measurements_result(campaign);
}

int exit_code(const measure::CampaignResult& campaign) {
  if (campaign.interrupted) return kInterrupted;
  for (const measure::TrialResult& result : campaign.results) {
    if (!result.last.outcome.completed) return kFailed;
  }
  return kDone;
}

int run_measure(const MeasureArgs& args, const Io& io, Globals globals) {
  ask::MeasureQuestion question = args.question;
  question.seed = static_cast<std::uint64_t>(globals.seed);
  question.spans = args.spans_out.has_value();
  std::optional<OutputFile> spans = output_file(args.spans_out, io);
  if (args.db) ask::check_record_file(*args.db);
  const Interrupt interrupt;
  const auto [campaign, found_spans, warnings] =
      ask::measure(question, *told_progress_on(io), [&] { return interrupt.asked(); });
  globals.machine = campaign.machine;
  for (const std::string& warning : warnings) warn(io, warning);
  if (!campaign.interrupted || !question.effects) {
    write_result(io, globals, result_of(question, campaign));
  }
  if (spans) write_spans(*spans, found_spans, args.spans_format);
  if (args.db) {
    ask::append_measurements(*args.db, campaign.results, provenance_now(globals.command_line, question.seed));
  }
  return exit_code(campaign);
}

}  // namespace

std::vector<Command> plugin() {
  const auto args = std::make_shared<MeasureArgs>();
  return {{.path = "measure",
           .wish = Wish::measure,
           .summary = "train a network on this machine and say where the time goes",
           .details =
               "Options that take a LIST are swept: every combination is a configuration. Configurations "
               "take turns in rounds, so that a machine that gets slower is slower for all of them. Rounds "
               "are repeated until each median is known to --within, or --budget is spent; the "
               "answer says what it waited for, and why it stopped.",
           .examples =
               {"sextant measure lenet5 --batch 64 --workers 1,2 --data fashion-mnist",
                "sextant measure resnet18 --image 32 --batch 16 --workers 2 --strategy all-reduce,ps-sync "
                "--transport gloo-tcp,mpi-shm",
                "sextant measure lenet5 --workers 2 --spans-out spans.json",
                "sextant measure lenet5 resnet18 --image 32 --strategy ps-sync --workers 1,2 --servers 1,2 "
                "--bucket-mb 1,25 --transport gloo-tcp,mpi-shm --effects"},
           .options = measure_options(*args),
           .run = [args](const Io& io, const Globals& globals) { return run_measure(*args, io, globals); }},
          command_measure_input()};
}

}  // namespace sextant::cli::command_measure
