// sextant simulate: what policies make of a shared cluster.
#include <memory>

#include "catalog_option.h"
#include "interrupt.h"
#include "output_file.h"
#include "progress.h"
#include "sextant/cli/command.h"
#include "sextant/cli/run.h"
#include "sextant/report/simulation_report.h"
#include "simulate_args.h"
#include "trace_args.h"

namespace sextant::cli::command_simulate {
namespace {

// Opened before the work begins, so that a place where nothing can be written is known at once.
struct SimulationFiles {
  std::optional<OutputFile> jobs;
  std::optional<OutputFile> timeline;
  std::optional<OutputFile> jct;
  std::optional<OutputFile> utilization;

  SimulationFiles(const SimulateArgs& args, const Io& io)
      : jobs(output_file(args.jobs_out, io)),
        timeline(output_file(args.timeline_out, io)),
        jct(output_file(args.plot, io)),
        utilization(output_file(args.plot_utilization, io)) {}
};

void write_picture(OutputFile& file, const report::LinePlot& plot, const Io& io) {
  if (plot.series.empty()) {
    warn(io, "nothing to draw: no job completed");
    return;
  }
  file.stream() << to_svg(plot);
  file.commit();
}

void write_files(SimulationFiles& files, const ask::SimulationAnswer& answer, const Io& io) {
  if (files.jobs) {
    report::write_jobs_csv(files.jobs->stream(), answer.plan, answer.runs);
    files.jobs->commit();
  }
  if (files.timeline) {
    report::write_timeline(files.timeline->stream(), answer.plan, answer.runs);
    files.timeline->commit();
  }
  if (files.jct) write_picture(*files.jct, report::jct_plot(answer.plan, answer.runs), io);
  if (files.utilization) {
    write_picture(*files.utilization, report::utilization_plot(answer.plan, answer.runs), io);
  }
}

int run_simulate(SimulateArgs args, const Io& io, Globals globals) {
  take_column_map(args.question.map, globals);
  SimulationFiles files(args, io);
  const ask::SimulateQuestion question = simulate_question(args, globals);
  const auto catalog = shared_catalog(io, globals);
  const RunInterrupt interrupt(io);
  const ask::SimulationAnswer answer = ask::simulate(question, *catalog, *progress_on(io), interrupt.stop());
  for (const std::string& note : answer.notes) warn(io, note);
  write_result(io, globals, report::simulation_result(answer.plan, answer.runs, answer.recorded));
  write_files(files, answer, io);
  for (const std::string& warning : answer.warnings) warn(io, warning);
  return answer.stopped ? kInterrupted : kDone;
}

}  // namespace

std::vector<Command> plugin() {
  const auto args = std::make_shared<SimulateArgs>();
  return {
      {.path = "simulate",
       .wish = Wish::share,
       .summary = "how policies run everybody's jobs on a shared cluster",
       .details =
           "Runs every combination of clusters, loads, seeds and policies, on all cores; all policies of a "
           "seed see the same jobs and faults.\nSpeeds of jobs come from --throughputs or --predict. Without "
           "them, a trace that has run times is taken to have them on the first pool, and other pools are "
           "as fast as their 'speed' in the cluster file says, or else the catalogue. Times are seconds, or "
           "as in '10 min'.\nJCT is the time from a job's arrival to its completion, and wait is the time "
           "from "
           "its arrival to its first start. Jain is 1 if all jobs are slowed down alike, and near 0 if few "
           "have everything. FTF (finish-time "
           "fairness) is the JCT over the one with an equal share of the cluster: at most 1 is fair.\nSome "
           "policies "
           "go by the run times of jobs (the answer says which). They are told the exact ones, or with "
           "--plan-by limits the users' time limits, as a real scheduler would be.",
       .examples =
           {"sextant simulate --trace sacct.txt --cluster a100=64 --policy fifo,srtf,las,max-min",
            "sextant simulate --trace jobs.csv --map submit=t,gpus=n,duration=s --cluster a100=64",
            "sextant simulate --generate philly:jobs=2000 --cluster v100=128 --policy fifo,srtf,las",
            "sextant simulate --trace jobs.trace --throughputs speeds.json --cluster v100=36,k80=36",
            "sextant simulate --trace jobs.csv --cluster gpu=2490/8 --policy fifo,srtf --plot jct.svg"},
       .options = simulate_options(*args),
       .run = [args](const Io& io, const Globals& globals) { return run_simulate(*args, io, globals); }}};
}

}  // namespace sextant::cli::command_simulate
