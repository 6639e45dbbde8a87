// sextant plan: what to rent and who runs on it, now.
#include <memory>

#include "catalog_option.h"
#include "output_file.h"
#include "sextant/ask/capacity_plan.h"
#include "sextant/capacity/method.h"
#include "sextant/cli/command.h"
#include "sextant/cli/run.h"
#include "sextant/report/capacity_report.h"

namespace sextant::cli::command_plan {
namespace {

std::vector<std::string> method_names() {
  std::vector<std::string> names;
  for (const capacity::MethodInfo& method : capacity::methods().all()) names.push_back(method.id);
  return names;
}

struct PlanArgs {
  ask::CapacityQuestion question;
  std::optional<std::string> plot;
};

std::vector<Option> plan_options(PlanArgs& args) {
  ask::CapacityQuestion& question = args.question;
  return {{.name = "INSTANCE",
           .summary = "file of machines, nodes and jobs, in TOML",
           .target = &question.instance,
           .positional = true,
           .required = true,
           .field = "instance"},
          {.name = "method",
           .summary = "planning methods, with parameters as in random-greedy:restarts=500",
           .target = &question.methods,
           .value_name = "LIST",
           .names = method_names},
          {.name = "risk",
           .summary = "chance of missing a due date that is accepted, instead of the file's",
           .target = &question.risk,
           .value_name = "P"},
          {.name = "budget",
           .summary = "of all nodes together, instead of the file's, as in '12 USD/h'",
           .target = &question.budget,
           .value_name = "RATE"},
          {.name = "cost",
           .summary = "until when a node is paid for: its last job's end, its first's, or one period",
           .target = &question.cost,
           .value_name = "RULE",
           .choices = {"makespan", "first-end", "period"}},
          {.name = "explain",
           .summary = "say why each job waits and what would let it run",
           .target = &question.explain},
          {.name = "plot",
           .summary = "draw the cheapest plan: jobs on their nodes, with their due dates",
           .target = &args.plot,
           .value_name = "FILE.svg",
           .writes = Writes::picture}};
}

int run_plan(const PlanArgs& args, const Io& io, const Globals& globals) {
  ask::CapacityQuestion question = args.question;
  question.seed = static_cast<std::uint64_t>(globals.seed);
  std::optional<OutputFile> picture = output_file(args.plot, io);
  const ask::CapacityAnswer answer = ask::plan_capacity(question, *shared_catalog(io, globals));
  write_result(io, globals, report::capacity_result(answer, !globals.no_provenance));
  if (!answer.tightest.empty()) return kInfeasible;
  if (picture) {
    picture->stream() << report::capacity_chart(answer);
    picture->commit();
  }
  return kDone;
}

}  // namespace

std::vector<Command> plugin() {
  const auto args = std::make_shared<PlanArgs>();
  return {
      {.path = "plan",
       .wish = Wish::plan,
       .summary = "what to rent and who runs on it, by due dates and prices",
       .details =
           "Decides which machine type each node is, which jobs run on how many of its GPUs, and which "
           "wait. Times of jobs stand in the\nfile, in a table beside it, or are predicted for a network. "
           "Where nothing can run, the exit code is 3 and the tightest\nconstraint is named. Wall times "
           "of the methods (solve_s) are left out with --no-provenance.",
       .examples = {"sextant plan jobs.toml", "sextant plan jobs.toml --method milp,sextant,greedy",
                    "sextant plan jobs.toml --budget '5 USD/h' --explain",
                    "sextant plan jobs.toml --plot plan.svg"},
       .options = plan_options(*args),
       .run = [args](const Io& io, const Globals& globals) { return run_plan(*args, io, globals); }}};
}

}  // namespace sextant::cli::command_plan
