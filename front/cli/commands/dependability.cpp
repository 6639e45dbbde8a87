// sextant dependability: what recorded failures do to a job that writes checkpoints.
#include "sextant/ask/dependability.h"

#include <memory>

#include "sextant/cli/command.h"
#include "sextant/cli/run.h"
#include "sextant/report/dependability_report.h"

namespace sextant::cli::command_dependability {
namespace {

std::vector<Option> log_options(ask::DependabilityQuestion& q) {
  return {{.name = "LOG",
           .summary = "CSV of failures: node, and start_s, start_h, start_day or started (a date)",
           .target = &q.log,
           .positional = true,
           .required = true,
           .field = "log"},
          {.name = "cluster-nodes",
           .summary = "nodes of the cluster, those included that never failed",
           .target = &q.cluster_nodes,
           .value_name = "N",
           .low = 1},
          {.name = "system",
           .summary = "which system, where the log has a column of several",
           .target = &q.system,
           .value_name = "NAME"},
          {.name = "split",
           .summary = "forecast from this share of the log's time and compare with a replay of the rest",
           .target = &q.split,
           .value_name = "SHARE"}};
}

std::vector<Option> job_options(ask::DependabilityQuestion& q) {
  return {{.name = "nodes",
           .summary = "of the job; each is a job of its own",
           .target = &q.nodes,
           .value_name = "LIST",
           .required = true,
           .low = 1},
          {.name = "checkpoint-cost",
           .summary = "time to write a checkpoint, in which the job waits",
           .target = &q.checkpoint_cost,
           .value_name = "TIME"},
          {.name = "restart",
           .summary = "time from a failure until the job computes again on other nodes",
           .target = &q.restart,
           .value_name = "TIME"},
          {.name = "checkpoint",
           .summary = "times between checkpoints to judge besides those of the rules",
           .target = &q.checkpoint,
           .value_name = "LIST"}};
}

}  // namespace

std::vector<Command> plugin() {
  const auto question = std::make_shared<ask::DependabilityQuestion>();
  std::vector<Option> options = job_options(*question);
  for (Option& option : log_options(*question)) options.push_back(std::move(option));
  return {
      {.path = "dependability",
       .wish = Wish::share,
       .summary = "what a cluster's recorded failures cost a job, and how often it should write checkpoints",
       .details =
           "The log is replayed for jobs on nodes that are drawn at random. The interval supposes that "
           "failures go on as they were, but that their rate drifts as it did in recorded systems.",
       .examples = {"sextant dependability faults.csv --nodes 64,256 --cluster-nodes 400",
                    "sextant dependability faults.csv --nodes 256 --checkpoint-cost 5min --restart 10min "
                    "--split 0.5"},
       .options = std::move(options),
       .run = [question](const Io& io, const Globals& globals) {
         question->seed = static_cast<std::uint64_t>(globals.seed);
         const ask::DependabilityAnswer answer = ask::dependability(*question);
         write_result(io, globals, report::dependability_result(answer));
         for (const std::string& warning : answer.warnings) warn(io, warning);
         return kDone;
       }}};
}

}  // namespace sextant::cli::command_dependability
