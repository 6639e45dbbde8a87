// sextant measure: what does this job really do here?
#include <memory>
#include <nlohmann/json.hpp>
#include <ostream>

#include "input_args.h"
#include "interrupt.h"
#include "measure_args.h"
#include "measure_effects.h"
#include "measure_records.h"
#include "output_file.h"
#include "progress.h"
#include "sextant/cli/command.h"
#include "sextant/cli/run.h"
#include "sextant/report/measure_report.h"

namespace sextant {
namespace {

void write_spans(OutputFile& file, const CampaignResult& campaign, const std::string& form) {
  SpanSet all;
  for (const TrialResult& result : campaign.results) {
    if (!result.last.spans.spans.empty()) all = result.last.spans;
  }
  file.stream() << (form == "otlp" ? to_otlp(all) : to_perfetto(all)).dump() << '\n';
  file.commit();
}

void write_result(const MeasureArgs& args, const CampaignResult& campaign, const Io& io,
                  const Globals& globals) {
  if (args.effects) {
    write_table(io, globals, effects_table(effects_of(args, campaign.results), args.response));
  } else if (args.operators) {
    write_table(io, globals, operators_timing_table(campaign.results));
  } else if (globals.chosen_format() == Format::json) {
    write_json(io, globals, measurements_json(campaign.results));
  } else {
    write_table(io, globals, measurements_table(campaign.results));
  }
}

// Several trials would have to share one file, and an analysis of it would mix them up.
void check_spans(const MeasureArgs& args, const std::vector<Trial>& trials) {
  if (args.spans_out && trials.size() != 1) {
    throw InputError({"--spans-out"},
                     "spans are those of one configuration, here are " + std::to_string(trials.size()),
                     "give one value to every option");
  }
}

int exit_code(const CampaignResult& campaign) {
  if (campaign.interrupted) return kInterrupted;
  for (const TrialResult& result : campaign.results) {
    if (!result.last.outcome.completed) return kFailed;
  }
  return kDone;
}

void tell(const CampaignResult& campaign, const Io& io) {
  for (const TrialResult& result : campaign.results) {
    const std::string name = result.trial.net + ", " + result.trial.strategy;
    for (const std::string& line : failure_text(result)) warn(io, name + ": " + line);
    for (const std::string& line : result.warnings) warn(io, name + ": " + line);
  }
}

int run_measure(const MeasureArgs& args, const Io& io, Globals globals) {
  const auto seed = static_cast<std::uint64_t>(globals.seed);
  const std::vector<Trial> trials = trials_of(args, seed);
  check_spans(args, trials);
  if (args.effects) design_of(args);
  std::optional<OutputFile> spans;
  if (args.spans_out) spans.emplace(*args.spans_out);
  const Interrupt interrupt;
  CampaignOptions options = campaign_options(args, seed);
  options.supervise.interrupted = [&] { return interrupt.asked(); };
  const CampaignResult campaign = run_campaign(trials, options, *progress_on(io));
  globals.machine = campaign.machine;
  tell(campaign, io);
  if (!campaign.interrupted || !args.effects) write_result(args, campaign, io, globals);
  if (spans) write_spans(*spans, campaign, args.spans_format);
  if (args.db) append_measurements(*args.db, campaign.results, provenance_now(globals.command_line, seed));
  return exit_code(campaign);
}

}  // namespace

std::vector<Command> command_measure() {
  const auto args = std::make_shared<MeasureArgs>();
  return {
      {.path = "measure",
       .summary = "train here, and say where the time goes",
       .details = "Lists are swept: every combination is a configuration. Configurations take turns in "
                  "rounds, so that "
                  "a machine that gets slower is slower for all, until each median is known to --precision.\n"
                  "A step is of --batch samples on each worker.",
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

}  // namespace sextant
