// sextant plan simulate: what planning methods make of a stream of jobs.
#include <memory>

#include "catalog_option.h"
#include "interrupt.h"
#include "output_file.h"
#include "plan_simulate_args.h"
#include "progress.h"
#include "sextant/cli/command.h"
#include "sextant/cli/run.h"
#include "sextant/report/plan_simulation_report.h"

namespace sextant::cli::command_plan_simulate {
namespace {

void write_pictures(std::optional<OutputFile>& spending, std::optional<OutputFile>& nodes,
                    const ask::PlanSimulation& answer) {
  if (spending) {
    const report::LinePlot plot = report::spending_plot(answer);
    if (!plot.series.empty()) spending->stream() << to_svg(plot);
    spending->commit();
  }
  if (nodes) {
    nodes->stream() << report::node_chart(answer);
    nodes->commit();
  }
}

int run_plan_simulate(const PlanSimulateArgs& args, const Io& io, const Globals& globals) {
  ask::PlanSimulateQuestion question = args.question;
  question.seed = static_cast<std::uint64_t>(globals.seed);
  question.keep_history = args.plot || args.plot_nodes;
  // Opened before the work begins, so that a place where nothing can be written is known at once.
  std::optional<OutputFile> spending = output_file(args.plot, io);
  std::optional<OutputFile> nodes = output_file(args.plot_nodes, io);
  const auto catalog = shared_catalog(io, globals);
  const RunInterrupt interrupt(io);
  const ask::PlanSimulation answer =
      ask::plan_simulate(question, *catalog, *progress_on(io), interrupt.stop());
  write_result(io, globals, report::plan_simulation_result(answer, !globals.no_provenance));
  write_pictures(spending, nodes, answer);
  for (const std::string& warning : answer.warnings) warn(io, warning);
  return answer.stopped ? kInterrupted : kDone;
}

}  // namespace

std::vector<Command> plugin() {
  const auto args = std::make_shared<PlanSimulateArgs>();
  return {
      {.path = "plan simulate",
       .wish = Wish::plan,
       .summary = "what planning methods make of a stream of jobs with due dates",
       .details =
           "Runs every instance, seed and method, on all cores. Jobs come one after the other; at every "
           "arrival, end and loss of a node, and after --period at the latest, the method decides which "
           "machine each node is, who runs on how many of its GPUs, and who waits. Rent is paid for every "
           "second that a node is on, and lateness by each job's own rate.\nWall times of the methods "
           "(solve_s) are left out with --no-provenance.",
       .examples =
           {"sextant plan simulate --jobs jobs.csv.gz --times times.csv --machines vms.csv --method "
            "fifo,edf,sextant",
            "sextant plan simulate --trace jobs.csv --throughputs speeds.csv --cluster a100=256/8",
            "sextant plan simulate --generate study:nodes=10:gap=45s --method fifo,sextant --error 0.1 "
            "--restart 60s"},
       .options = plan_simulate_options(*args),
       .run = [args](const Io& io, const Globals& globals) {
         return run_plan_simulate(*args, io, globals);
       }}};
}

}  // namespace sextant::cli::command_plan_simulate
