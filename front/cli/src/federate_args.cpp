#include "federate_args.h"

#include <algorithm>

#include "kinds.h"

namespace sextant::cli {
namespace {

std::vector<Option> main_options(ask::FederateQuestion& q) {
  return {
      {.name = "NET",
       .summary = "network of the zoo, or an ONNX file; it reads images",
       .target = &q.net,
       .positional = true,
       .names = network_names},
      {.name = "data",
       .summary = "synthetic, fashion-mnist, a folder of images, or a record file",
       .target = &q.data,
       .value_name = "WHAT"},
      {.name = "clients", .summary = "number of clients", .target = &q.clients, .value_name = "N", .low = 1},
      {.name = "rounds", .summary = "number of rounds", .target = &q.rounds, .value_name = "N", .low = 1},
      {.name = "per-round",
       .summary = "clients that are chosen in a round; 0 chooses all that are there",
       .target = &q.per_round,
       .value_name = "N",
       .low = 0},
      {.name = "sampler",
       .summary = "how the data set is shared out to the clients",
       .target = &q.sampler,
       .value_name = "LIST",
       .names = sampler_names},
      {.name = "strategy",
       .summary = "how clients and server train together",
       .target = &q.strategy,
       .value_name = "LIST",
       .names = federated_strategy_names},
      {.name = "rule",
       .summary = "how the server puts updates together",
       .target = &q.rule,
       .value_name = "LIST",
       .names = rule_names},
      {.name = "attack",
       .summary = "what attackers do; none for no attack",
       .target = &q.attack,
       .value_name = "LIST",
       .names = attack_names},
      {.name = "attackers",
       .summary = "share of the clients that attack, where the attack does not say it (alie:share=0.3)",
       .target = &q.attackers,
       .value_name = "LIST"},
      {.name = "attackers-hold",
       .summary =
           "what attackers train on: share, a part of the data as everybody has; iid, a sample of all of "
           "it, while the others have the whole data set among them",
       .target = &q.attackers_hold,
       .value_name = "WHAT",
       .choices = {"share", "iid"}},
      {.name = "seeds",
       .summary = "number of seeds for each federation, counted from --seed",
       .target = &q.seeds,
       .value_name = "N",
       .low = 1,
       .high = 1000}};
}

std::vector<Option> training_options(ask::FederateQuestion& q) {
  return {{.name = "batch",
           .summary = "samples in a step of a client",
           .target = &q.batch,
           .value_name = "N",
           .low = 1},
          {.name = "epochs",
           .summary = "passes of a client over its samples in a round",
           .target = &q.epochs,
           .value_name = "X",
           .low = 0},
          {.name = "local-steps",
           .summary = "steps of a client in a round, instead of --epochs; 0: --epochs counts",
           .target = &q.local_steps,
           .value_name = "N",
           .low = 0},
          {.name = "learning-rate",
           .summary = "learning rate of the clients' SGD",
           .target = &q.learning_rate,
           .value_name = "X",
           .low = 0},
          {.name = "momentum",
           .summary = "momentum of the clients' SGD, which begins anew in each round",
           .target = &q.momentum,
           .value_name = "X",
           .low = 0,
           .high = 1},
          {.name = "worker-momentum",
           .summary = "smooth each client's updates over rounds before the rule sees them; 0 does not",
           .target = &q.worker_momentum,
           .value_name = "X",
           .low = 0,
           .high = 1},
          {.name = "image",
           .summary = "height and width of the images, in pixels",
           .target = &q.image,
           .value_name = "N",
           .low = 1},
          {.name = "classes",
           .summary = "classes that the network tells apart",
           .target = &q.classes,
           .value_name = "N",
           .low = 1},
          {.name = "target",
           .summary = "accuracy that rounds and seconds are counted to",
           .target = &q.target,
           .value_name = "X",
           .low = 0,
           .high = 1},
          {.name = "test-samples",
           .summary = "samples that the model is tested with after each round, evenly spread; 0 takes all",
           .target = &q.test_samples,
           .value_name = "N",
           .low = 0}};
}

std::vector<Option> client_options(ask::FederateQuestion& q) {
  return {{.name = "speed",
           .summary = "samples per second of a client: constant:value=, uniform:low=:high=, "
                      "lognormal:median=:sigma=, exponential:mean=, given:values=1e3/2e3",
           .target = &q.speed,
           .value_name = "DIST"},
          {.name = "bandwidth",
           .summary = "bytes per second of a client, each way, as --speed",
           .target = &q.bandwidth,
           .value_name = "DIST"},
          {.name = "available",
           .summary = "probability that a client is there in a round",
           .target = &q.available,
           .value_name = "X",
           .low = 0,
           .high = 1},
          {.name = "drop-out",
           .summary = "probability that a chosen client does not answer",
           .target = &q.drop_out,
           .value_name = "X",
           .low = 0,
           .high = 1},
          {.name = "deadline",
           .summary = "of a round, at the clients' speeds; who is later is left out of it",
           .target = &q.deadline,
           .value_name = "TIME"},
          {.name = "over-select",
           .summary = "share of --per-round that is chosen in addition; those that answer first are taken",
           .target = &q.over_select,
           .value_name = "X",
           .low = 0},
          {.name = "availability-trace",
           .summary = "a CSV of when clients are there: client,from_s,to_s, on the clock of the federation",
           .target = &q.availability_trace,
           .value_name = "FILE"},
          {.name = "broken",
           .summary =
               "clients that send something else: nan:client=3:round=2; or wrong-shape, too-large, silent, "
               "foreign-id, wrong-steps",
           .target = &q.broken,
           .value_name = "LIST"}};
}

std::vector<Option> process_options(ask::FederateQuestion& q) {
  return {{.name = "at-once",
           .summary = "federations of a sweep that are run at the same time",
           .target = &q.at_once,
           .value_name = "N",
           .low = 1,
           .high = 1024},
          {.name = "hosts",
           .summary = "processes that the clients live in; results do not depend on it",
           .target = &q.hosts,
           .value_name = "N",
           .low = 1,
           .high = 1024},
          {.name = "threads",
           .summary = "threads of each process",
           .target = &q.threads,
           .value_name = "N",
           .low = 1,
           .high = 1024},
          {.name = "transport",
           .summary =
               "how processes exchange data; with none, clients and server are threads of one process, which "
               "takes the least time on one machine",
           .target = &q.transport,
           .value_name = "WHICH",
           .names = transport_names},
          {.name = "runner",
           .summary = "who starts the processes; auto is mpi for MPI's transports and local for the others",
           .target = &q.runner,
           .value_name = "WHICH",
           .names = runner_names},
          {.name = "timeout",
           .summary = "a process that gives no sign of life for this time counts as lost",
           .target = &q.timeout,
           .value_name = "TIME"},
          {.name = "scratch",
           .summary = "folder in which a run keeps its files while it lasts",
           .target = &q.scratch,
           .value_name = "DIR"},
          {.name = "wrapper",
           .summary = "start each process through this command; {rank} in it is the number of the process, "
                      "the server's is that of --hosts",
           .target = &q.wrapper,
           .value_name = "COMMAND"},
          {.name = "folder",
           .summary = "keep model and rounds here after each round, and go on from what is here",
           .target = &q.folder,
           .value_name = "DIR",
           .writes = Writes::place}};
}

std::vector<Option> federate_outputs(FederateArgs& a) {
  return {
      {.name = "db",
       .summary =
           "append runs and rounds as records to this SQLite file; runs that it holds are not made again",
       .target = &a.db,
       .value_name = "FILE",
       .writes = Writes::place},
      {.name = "plot",
       .summary = "draw the accuracy to this SVG file: over rounds, over the shares of attackers, or of each "
                  "rule under each attack",
       .target = &a.plot,
       .value_name = "FILE.svg",
       .writes = Writes::picture},
      {.name = "spans-out",
       .summary = "write the spans of all processes to this file",
       .target = &a.spans_out,
       .value_name = "FILE",
       .field = "spans",
       .writes = Writes::file}};
}

}  // namespace

std::vector<Option> federation_size_options(ask::FederateQuestion& question) {
  const std::vector<std::string> wanted = {"NET",
                                           "data",
                                           "clients",
                                           "rounds",
                                           "sampler",
                                           "strategy",
                                           "seeds",
                                           "batch",
                                           "epochs",
                                           "local-steps",
                                           "image",
                                           "classes",
                                           "speed",
                                           "bandwidth",
                                           "available",
                                           "drop-out",
                                           "availability-trace",
                                           "target"};
  std::vector<Option> all = main_options(question);
  for (const auto& part : {training_options(question), client_options(question)}) {
    all.insert(all.end(), part.begin(), part.end());
  }
  std::erase_if(all,
                [&](const Option& option) { return std::ranges::find(wanted, option.name) == wanted.end(); });
  return all;
}

std::vector<Option> federate_options(FederateArgs& args) {
  ask::FederateQuestion& q = args.question;
  std::vector<Option> all = main_options(q);
  for (const auto& part :
       {grouped("How clients train", training_options(q)),
        grouped("What clients are like", client_options(q)), grouped("How it is run", process_options(q)),
        grouped("What comes out", federate_outputs(args))}) {
    all.insert(all.end(), part.begin(), part.end());
  }
  return all;
}

}  // namespace sextant::cli
