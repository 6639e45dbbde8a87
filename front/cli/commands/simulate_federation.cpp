// sextant simulate federation: how long do the rounds of a federation take?
#include <memory>

#include "federate_args.h"
#include "sextant/cli/command.h"
#include "sextant/cli/run.h"
#include "sextant/report/federate_report.h"

namespace sextant::cli::command_simulate_federation {
namespace {

std::vector<Option> times_options(ask::FederationTimesQuestion& q) {
  std::vector<Option> options = federation_size_options(q.federation);
  const std::vector<Option> own = {
      {.name = "per-round",
       .summary = "clients that are chosen in a round; 0 chooses all that are there",
       .target = &q.per_round,
       .value_name = "LIST",
       .low = 0},
      {.name = "deadline",
       .summary = "of a round; who is later is left out of it; none: no deadline",
       .target = &q.deadline,
       .value_name = "LIST"},
      {.name = "over-select",
       .summary = "share of --per-round that is chosen in addition; those that answer first are taken",
       .target = &q.over_select,
       .value_name = "LIST"},
      {.name = "server-bandwidth",
       .summary = "of the server's link, each way, which all transfers share",
       .target = &q.server_bandwidth,
       .value_name = "RATE"},
      {.name = "server-time",
       .summary = "of a round, after the last update: rule and test; measured: as in the runs of --measured",
       .target = &q.server_time,
       .value_name = "TIME"},
      {.name = "hosts",
       .summary = "processes that clients live in, which get the model once and train one client after the "
                  "other; 0: each client has its own",
       .target = &q.hosts,
       .value_name = "N",
       .low = 0},
      {.name = "cores",
       .summary = "cores that all clients share, one each at most; 0: each has its own",
       .target = &q.cores,
       .value_name = "X",
       .low = 0},
      {.name = "measured",
       .summary =
           "folders of sextant federate --folder: how fast clients train (--speed measured), and how many "
           "rounds --target takes",
       .target = &q.measured,
       .value_name = "LIST"}};
  options.insert(options.end(), own.begin(), own.end());
  return options;
}

}  // namespace

std::vector<Command> plugin() {
  const auto question = std::make_shared<ask::FederationTimesQuestion>();
  question->federation.seeds = 5;
  return {
      {.path = "simulate federation",
       .wish = Wish::share,
       .summary = "how long the rounds of a federation take, by clients chosen and deadline",
       .details =
           "Nothing is trained: rounds follow from the clients' speeds and bandwidths, which are drawn anew "
           "for each seed, and from who is chosen. Clients draw the same values as in sextant federate. What "
           "takes a LIST is swept; with --measured the answer says which policy reaches --target first.",
       .examples =
           {"sextant simulate federation flanders-mlp --clients 100 --per-round 10,50,0 --deadline none,5s "
            "--speed lognormal:median=500:sigma=0.7 --bandwidth lognormal:median=1e6:sigma=1",
            "sextant simulate federation flanders-mlp --per-round 10 --over-select 0,0.3 --strategy "
            "fedavg,tifl "
            "--speed lognormal:median=500:sigma=0.7"},
       .options = times_options(*question),
       .run = [question](const Io& io, const Globals& globals) {
         question->federation.seed = static_cast<std::uint64_t>(globals.seed);
         write_result(io, globals, report::federation_times_result(ask::federation_times(*question)));
         return kDone;
       }}};
}

}  // namespace sextant::cli::command_simulate_federation
