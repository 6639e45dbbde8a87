#include "plan_simulate_args.h"

#include "kinds.h"

namespace sextant::cli {
namespace {

std::vector<Option> online_workload_options(ask::PlanSimulateQuestion& q) {
  return {{.name = "jobs",
           .summary =
               "table of jobs: instance, nodes, job, kind or network, submit_s, due_s, tardiness_usd_per_s",
           .target = &q.jobs,
           .value_name = "FILE"},
          {.name = "times",
           .summary = "with --jobs: times of each kind of job: kind, gpu, gpus, seconds",
           .target = &q.times,
           .value_name = "FILE"},
          {.name = "machines",
           .summary = "with --jobs: machines that may be rented: vm, gpu, gpus, usd_per_hour; or vm alone, "
                      "of the catalogue",
           .target = &q.machines,
           .value_name = "FILE"},
          {.name = "instance",
           .summary = "with --jobs: only these instances of the table",
           .target = &q.instances,
           .value_name = "LIST"},
          {.name = "trace",
           .summary = "jobs with deadlines: job, submit_s, iterations, model, deadline_s, batch",
           .target = &q.trace,
           .value_name = "FILE"},
          {.name = "throughputs",
           .summary = "with --trace: gpu, model, global_batch, gpus, iterations_per_s",
           .target = &q.throughputs,
           .value_name = "FILE"},
          {.name = "cluster",
           .summary = "with --trace: GPUs that are owned, a100=256/8 (256 in nodes of 8)",
           .target = &q.cluster,
           .value_name = "SPEC"},
          {.name = "generate",
           .summary = "draw the jobs: study:nodes=10:gap=30s:instances=5, or mixed:nodes=4:load=0.8",
           .target = &q.generate,
           .value_name = "SPEC"}};
}

std::vector<Option> decision_options(ask::PlanSimulateQuestion& q) {
  return {
      {.name = "method",
       .summary = "planning methods that decide, such as fifo,edf,sextant; 'sextant list planning-methods' "
                  "names all",
       .target = &q.methods,
       .value_name = "LIST",
       .names = planning_method_names},
      {.name = "rules",
       .summary = "follow the rules of another simulator; andreas has its own fifo, edf, priority and greedy",
       .target = &q.rules,
       .value_name = "ID",
       .choices = {"andreas"}},
      {.name = "admission",
       .summary = "whether jobs are refused whose due date cannot be kept (default: yes with --trace, whose "
                  "jobs have deadlines)",
       .target = &q.admission,
       .value_name = "YES",
       .choices = {"yes", "no"}}};
}

std::vector<Option> wish_options(ask::PlanSimulateQuestion& q) {
  return {
      {.name = "period", .summary = "decide at least this often", .target = &q.period, .value_name = "TIME"},
      {.name = "slot",
       .summary = "decide only at multiples of this time, as simulators with rounds do; 0: at every event",
       .target = &q.slot,
       .value_name = "TIME"},
      {.name = "cost",
       .summary = "how long a decision counts a node's price: until its first job ends, its last job ends, "
                  "or for one period",
       .target = &q.cost,
       .value_name = "HOW",
       .choices = {"first-end", "makespan", "period"}},
      {.name = "postponement",
       .summary = "how much the lateness of jobs that wait counts against that of jobs that run",
       .target = &q.postponement,
       .value_name = "RHO",
       .low = 0,
       .high = 1e6},
      {.name = "risk",
       .summary = "a due date counts as kept when the chance to miss it is at most this",
       .target = &q.risk,
       .value_name = "P",
       .low = 1e-9,
       .high = 1 - 1e-9},
      {.name = "budget",
       .summary = "most USD an hour that all machines together may cost",
       .target = &q.budget,
       .value_name = "USD",
       .low = 0},
      {.name = "power",
       .summary = "most watts that all machines together may draw",
       .target = &q.power,
       .value_name = "W",
       .low = 0},
      {.name = "energy-price",
       .summary = "price of electricity, USD for a kWh",
       .target = &q.energy_price,
       .value_name = "USD",
       .low = 0,
       .field = "energy_price"},
      {.name = "carbon-intensity",
       .summary = "kg of CO2 that a kWh emits",
       .target = &q.carbon_intensity,
       .value_name = "KG",
       .low = 0,
       .field = "carbon_intensity"},
      {.name = "carbon-price",
       .summary = "price of CO2, USD for a kg",
       .target = &q.carbon_price,
       .value_name = "USD",
       .low = 0,
       .field = "carbon_price"}};
}

std::vector<Option> online_run_options(PlanSimulateArgs& args) {
  ask::PlanSimulateQuestion& q = args.question;
  return {{.name = "restart",
           .summary = "time that a running job loses when it is stopped, moved or resized",
           .target = &q.restart,
           .value_name = "TIME"},
          {.name = "error",
           .summary = "error of the stated times: true times are the stated ones times exp(E z), with z "
                      "standard normal; "
                      "stated: take E from the table of times",
           .target = &q.error,
           .value_name = "E"},
          {.name = "faults",
           .summary = "faults of nodes: crash:mtbf=30d:mttr=1h",
           .target = &q.faults,
           .value_name = "LIST",
           .names = fault_names},
          {.name = "seeds",
           .summary = "number of replications, each with its own errors and faults",
           .target = &q.seeds,
           .value_name = "N",
           .low = 1,
           .high = 1e6},
          {.name = "threads",
           .summary = "number of runs at the same time; 0: one per core",
           .target = &q.threads,
           .value_name = "N",
           .low = 0,
           .high = 4096},
          {.name = "plot",
           .summary = "draw what was spent over time, of the first instance and seed",
           .target = &args.plot,
           .value_name = "FILE.svg",
           .writes = Writes::picture},
          {.name = "plot-nodes",
           .summary = "draw which jobs were on which nodes, by the best method on the first instance",
           .target = &args.plot_nodes,
           .value_name = "FILE.svg",
           .writes = Writes::picture}};
}

}  // namespace

std::vector<Option> plan_simulate_options(PlanSimulateArgs& args) {
  std::vector<Option> options = online_workload_options(args.question);
  for (Option& option : decision_options(args.question)) options.push_back(std::move(option));
  for (Option& option : wish_options(args.question)) options.push_back(std::move(option));
  for (Option& option : online_run_options(args)) options.push_back(std::move(option));
  put_under("Wishes",
            {"period", "slot", "cost", "postponement", "risk", "budget", "power", "energy-price",
             "carbon-intensity", "carbon-price"},
            options);
  put_under("Runs", {"restart", "error", "faults", "seeds", "threads"}, options);
  return options;
}

}  // namespace sextant::cli
