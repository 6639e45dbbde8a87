#include "daemon_args.h"

#include "kinds.h"
#include "sextant/core/unit_text.h"

namespace sextant::cli {
namespace {

std::vector<Option> wish_options(DaemonArgs& args) {
  capacity::Wishes& wishes = args.options.wishes;
  return {{.name = "period",
           .summary = "the longest time between two decisions",
           .target = &args.period,
           .value_name = "TIME"},
          {.name = "risk",
           .summary = "a due date counts as kept when the chance to miss it is at most this",
           .target = &wishes.risk,
           .value_name = "SHARE",
           .low = 0.001,
           .high = 0.999},
          {.name = "budget",
           .summary = "USD an hour that all nodes together may cost",
           .target = &args.budget,
           .value_name = "USD",
           .low = 0},
          {.name = "admission",
           .summary = "refuse jobs whose due date cannot be kept",
           .target = &wishes.admission}};
}

}  // namespace

std::vector<Option> daemon_args_options(DaemonArgs& args) {
  daemon::DaemonOptions& o = args.options;
  std::vector<Option> options = {
      {.name = "state",
       .summary = "SQLite file in which the daemon keeps its state; it is made if it does not exist",
       .target = &o.state,
       .value_name = "FILE",
       .writes = Writes::place},
      {.name = "listen",
       .summary = "address to listen at; an address other than loopback needs a token",
       .target = &o.listen,
       .value_name = "HOST:PORT"},
      {.name = "token-file",
       .summary = "file with the token that clients must send",
       .target = &o.token_file,
       .value_name = "FILE",
       .field = "token"},
      {.name = "machines",
       .summary = "JSON file of machine types and nodes, as PUT /v1/nodes takes it",
       .target = &o.machines,
       .value_name = "FILE"},
      {.name = "cluster",
       .summary = "instead of --machines, the machines that you own: 'v100=16/4' is 16 GPUs in nodes of 4, "
                  "or a TOML file",
       .target = &o.cluster,
       .value_name = "CLUSTER"},
      {.name = "method",
       .summary = "planning method that decides, with its parameters",
       .target = &o.method,
       .value_name = "METHOD",
       .names = planning_method_names},
      {.name = "apply",
       .summary = "how decisions are carried out: by Slurm ('slurm', or 'slurm:cpus' where each GPU stands "
                  "for a CPU core) "
                  "or by a command of yours; without it they are only recorded",
       .target = &o.apply,
       .value_name = "COMMAND",
       .runs = true},
      {.name = "dry-run",
       .summary = "show what would be carried out, and carry out nothing",
       .target = &o.dry_run},
      {.name = "openapi",
       .summary = "print the OpenAPI file of the requests, and end",
       .target = &args.openapi}};
  for (Option& option : grouped("What is wanted", wish_options(args))) options.push_back(std::move(option));
  return options;
}

daemon::DaemonOptions daemon_options(const DaemonArgs& args) {
  daemon::DaemonOptions options = args.options;
  if (options.state.empty()) throw InputError(at_field("state"), "the file of the state is missing");
  if (args.period) options.wishes.period = parse_seconds(*args.period, at_field("period"));
  if (options.wishes.period <= Seconds{0}) throw InputError(at_field("period"), "the period has no length");
  if (args.budget) options.wishes.budget = DollarRate{*args.budget / kHour.value};
  return options;
}

}  // namespace sextant::cli
