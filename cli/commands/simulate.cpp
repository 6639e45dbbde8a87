// sextant simulate: what policies make of a shared cluster.
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "interrupt.h"
#include "output_file.h"
#include "progress.h"
#include "sextant/cli/command.h"
#include "sextant/cli/run.h"
#include "sextant/report/simulation_report.h"
#include "simulate_args.h"

namespace sextant {
namespace {

constexpr std::size_t kNamedJobs = 5;  // that can never run, before a count

// Opened before the work begins, so that a place where nothing can be written is known at once.
struct SimulationFiles {
  std::optional<OutputFile> jobs;
  std::optional<OutputFile> timeline;
  std::optional<OutputFile> jct;
  std::optional<OutputFile> utilization;

  explicit SimulationFiles(const SimulateArgs& args) {
    if (args.jobs_out) jobs.emplace(*args.jobs_out);
    if (args.timeline_out) timeline.emplace(*args.timeline_out);
    if (args.plot_jct) jct.emplace(*args.plot_jct);
    if (args.plot_utilization) utilization.emplace(*args.plot_utilization);
  }
};

void write_picture(OutputFile& file, const LinePlot& plot, const Io& io) {
  if (plot.series.empty()) {
    warn(io, "nothing to draw: no job completed");
    return;
  }
  file.stream() << to_svg(plot);
  file.commit();
}

void write_files(SimulationFiles& files, const SweepPlan& plan, const std::vector<SweepRun>& runs,
                 const Io& io) {
  if (files.jobs) {
    write_jobs_csv(files.jobs->stream(), plan, runs);
    files.jobs->commit();
  }
  if (files.timeline) {
    write_timeline(files.timeline->stream(), plan, runs);
    files.timeline->commit();
  }
  if (files.jct) write_picture(*files.jct, jct_plot(plan, runs), io);
  if (files.utilization) write_picture(*files.utilization, utilization_plot(plan, runs), io);
}

void write_result(const SweepPlan& plan, const std::vector<SweepRun>& runs, const Io& io,
                  const Globals& globals) {
  switch (globals.chosen_format()) {
    case Format::json:
      write_json(io, globals, simulation_json(plan, runs));
      break;
    case Format::csv:
      write_table(io, globals, simulation_runs_table(plan, runs));
      break;
    default:
      write_table(io, globals, simulation_table(plan, runs));
  }
}

int run_simulate(const SimulateArgs& args, const Io& io, const Globals& globals) {
  SimulationFiles files(args);
  const auto input = simulation_input(args, io, globals);
  for (const std::string& note : input->notes) warn(io, note);
  const Interrupt interrupt;
  input->plan.stop = interrupt.flag();
  const std::vector<SweepRun> runs = sweep(input->plan, *progress_on(io));
  write_result(input->plan, runs, io, globals);
  write_files(files, input->plan, runs, io);
  for (const std::string& line : refused_text(runs, kNamedJobs)) warn(io, "can never run: " + line);
  for (const std::string& line : unfinished_text(input->plan, runs)) warn(io, line);
  if (interrupt.asked()) {
    const auto done = std::ranges::count_if(runs, &SweepRun::done);
    warn(io,
         "interrupted: " + std::to_string(done) + " of " + std::to_string(runs.size()) + " runs were done");
  }
  return interrupt.asked() ? kInterrupted : kDone;
}

}  // namespace

std::vector<Command> command_simulate() {
  const auto args = std::make_shared<SimulateArgs>();
  return {
      {.path = "simulate",
       .summary = "how policies run everybody's jobs on a shared cluster",
       .details =
           "Clusters x loads x seeds x policies, on all cores; all policies of a seed see the same jobs and "
           "faults.\nSpeeds of jobs come from --throughputs, from --predict, or, for traces that have "
           "durations only, from the\nduration on the reference type and the pools' speed in the cluster "
           "file. Times are seconds, or as in '10 min'.",
       .examples = {"sextant simulate --generate philly:jobs=2000 --cluster v100=128 --policy fifo,srtf,las",
                    "sextant simulate --trace jobs.trace --throughputs speeds.json --cluster "
                    "v100=36,p100=36,k80=36 --policy max-min,finish-time-fairness",
                    "sextant simulate --trace jobs.csv --cluster gpu=2490/8 --policy fifo,srtf --plot-jct "
                    "jct.svg --plot-utilization use.svg"},
       .options = simulate_options(*args),
       .run = [args](const Io& io, const Globals& globals) { return run_simulate(*args, io, globals); }}};
}

}  // namespace sextant
