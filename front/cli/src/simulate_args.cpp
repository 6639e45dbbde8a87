#include "simulate_args.h"

#include "kinds.h"
#include "trace_args.h"

namespace sextant::cli {
namespace {

std::vector<Option> workload_options(ask::SimulateQuestion& a) {
  return {
      {.name = "trace",
       .summary = "file of jobs: sacct, Kubernetes, CSV and others; 'sextant list trace-formats' names all",
       .target = &a.trace,
       .value_name = "FILE"},
      {.name = "trace-format",
       .summary = "format of the trace, if the program does not recognise it",
       .target = &a.trace_format,
       .value_name = "ID",
       .names = trace_format_names},
      column_map_option(a.map),
      {.name = "generate",
       .summary = "draw the jobs from distributions: gavel:jobs=500:interarrival=720s, or a TOML file",
       .target = &a.generate,
       .value_name = "SPEC"},
      {.name = "throughputs",
       .summary = "take the speeds of the jobs' models on each type of GPU from this table (Gavel's JSON)",
       .target = &a.throughputs,
       .value_name = "FILE"},
      {.name = "predict",
       .summary = "predict the speeds of the jobs' models on each type of GPU",
       .target = &a.predict},
      {.name = "estimates",
       .summary = "let each job run as long as its user's time limit, instead of as long as it really ran",
       .target = &a.estimates},
      {.name = "plan-by",
       .summary = "what policies are told: exact run times, or the users' time limits (jobs then may end "
                  "earlier)",
       .target = &a.plan_by,
       .value_name = "WHAT",
       .choices = {"run-times", "limits"}},
      {.name = "network",
       .summary = "link between nodes, for the predicted speed of a job on several nodes",
       .target = &a.link,
       .value_name = "LINK",
       .names = link_names},
      {.name = "load",
       .summary = "multiply the rate of arrivals by each of these",
       .target = &a.loads,
       .value_name = "LIST"}};
}

std::vector<Option> cluster_options(ask::SimulateQuestion& a) {
  return {
      {.name = "cluster",
       .summary = "GPUs by type, v100=36,p100=36/4 (36 in nodes of 4), or a TOML file; repeat for several",
       .target = &a.clusters,
       .value_name = "SPEC",
       .whole = true,
       .required = true},
      {.name = "policy",
       .summary = "scheduling policies, each with its parameters: fifo,las:quantum=120",
       .target = &a.policies,
       .value_name = "LIST",
       .names = policy_names},
      {.name = "mechanism",
       .summary = "when policies decide: at every event, or in rounds (default: what the policy needs)",
       .target = &a.mechanism,
       .value_name = "WHAT",
       .choices = {"event", "rounds"}},
      {.name = "round", .summary = "length of a round", .target = &a.round, .value_name = "TIME"},
      {.name = "reallocate",
       .summary = "in rounds: compute new shares of time at most this often, unless a new job has none",
       .target = &a.reallocate,
       .value_name = "TIME"},
      {.name = "placement",
       .summary = "rule that chooses the nodes for a job",
       .target = &a.placement,
       .value_name = "ID",
       .names = placement_names},
      {.name = "startup",
       .summary = "time that a job holds its GPUs before its first work",
       .target = &a.startup,
       .value_name = "TIME"},
      {.name = "restart",
       .summary = "time that a job holds its GPUs before it works again, after a preemption or a crash",
       .target = &a.restart,
       .value_name = "TIME"},
      {.name = "faults",
       .summary = "faults of nodes: crash:mtbf=30d:mttr=1h",
       .target = &a.faults,
       .value_name = "LIST",
       .names = fault_names},
      {.name = "checkpoint",
       .summary =
           "time between two checkpoints, as in '30 min'; young or daly: the interval that loses least; none",
       .target = &a.checkpoint,
       .value_name = "WHEN"},
      {.name = "checkpoint-cost",
       .summary = "time that writing a checkpoint takes",
       .target = &a.checkpoint_cost,
       .value_name = "TIME"}};
}

std::vector<Option> run_options(SimulateArgs& a) {
  return {{.name = "seeds",
           .summary = "number of replications, each with its own generated jobs and faults",
           .target = &a.question.seeds,
           .value_name = "N",
           .low = 1,
           .high = 1e6},
          {.name = "window",
           .summary = "count only jobs A to B-1, where job 0 arrives first; auto: the jobs after the "
                      "warm-up, found by MSER-5",
           .target = &a.question.window,
           .value_name = "A:B"},
          {.name = "until",
           .summary = "stop the simulated clock at this time",
           .target = &a.question.until,
           .value_name = "TIME"},
          {.name = "gavel-compatible",
           .summary = "simulate exactly as Gavel's simulator does; policies have Gavel's names",
           .target = &a.question.gavel_compatible},
          {.name = "replay-allocations",
           .summary = "with --gavel-compatible: take the shares of time from this file instead of a policy",
           .target = &a.question.replay_allocations,
           .value_name = "FILE"},
          {.name = "jobs-out",
           .summary = "write a line for each job",
           .target = &a.jobs_out,
           .value_name = "FILE.csv",
           .writes = Writes::file},
          {.name = "timeline-out",
           .summary = "write which job ran where and when, for Perfetto",
           .target = &a.timeline_out,
           .value_name = "FILE.json",
           .writes = Writes::file},
          {.name = "plot",
           .summary = "draw the distributions of completion times",
           .target = &a.plot,
           .value_name = "FILE.svg",
           .writes = Writes::picture,
           .former = {"plot-jct"}},
          {.name = "plot-utilization",
           .summary = "draw the use of the GPUs over time",
           .target = &a.plot_utilization,
           .value_name = "FILE.svg",
           .writes = Writes::picture},
          {.name = "threads",
           .summary = "number of simulations that run at the same time; 0: one per core",
           .target = &a.question.threads,
           .value_name = "N",
           .low = 0,
           .high = 1024}};
}

}  // namespace

std::vector<Option> simulate_options(SimulateArgs& args) {
  std::vector<Option> options = workload_options(args.question);
  for (auto& option : cluster_options(args.question)) options.push_back(std::move(option));
  for (auto& option : run_options(args)) options.push_back(std::move(option));
  put_under("Speeds of jobs", {"throughputs", "predict", "estimates", "network"}, options);
  put_under("Scheduling", {"plan-by", "mechanism", "round", "reallocate", "placement", "startup", "restart"},
            options);
  put_under("Faults", {"faults", "checkpoint", "checkpoint-cost"}, options);
  put_under("What is counted", {"window", "until", "threads"}, options);
  put_under("Gavel's simulator", {"gavel-compatible", "replay-allocations"}, options);
  put_under("Files and pictures", {"jobs-out", "timeline-out", "plot-utilization"}, options);
  const std::string predicted = "Predicted speeds";
  for (auto& option : grouped(predicted, software_options(args.question.job)))
    options.push_back(std::move(option));
  for (auto& option : grouped(predicted, predictor_options(args.question.model))) {
    if (option.name != "map") options.push_back(std::move(option));  // here it is for columns of the trace
  }
  return options;
}

ask::SimulateQuestion simulate_question(const SimulateArgs& args, const Globals& globals) {
  ask::SimulateQuestion question = args.question;
  for (const auto& [option, file] :
       {std::pair("--timeline-out", args.timeline_out), {"--plot-utilization", args.plot_utilization}}) {
    if (question.gavel_compatible && file) {
      throw InputError({option}, "Gavel's simulator has none: leave it out");
    }
  }
  question.keep_jobs = args.jobs_out || args.plot;
  question.keep_utilization = args.plot_utilization.has_value();
  question.keep_timeline = args.timeline_out.has_value();
  question.seed = static_cast<std::uint64_t>(globals.seed);
  return question;
}

}  // namespace sextant::cli
