#include "collective_args.h"

#include "kinds.h"
#include "sextant/collectives/collective.h"

namespace sextant::cli {
namespace {

std::vector<std::string> with_all(std::vector<std::string> names) {
  names.insert(names.begin(), "all");
  return names;
}

std::vector<Option> place_options(ask::CollectiveTimesQuestion& question) {
  return {
      {.name = "system",
       .summary = "systems such as a100-dgx ('sextant list systems'), or machines of the catalogue",
       .target = &question.systems,
       .value_name = "LIST",
       .names = system_names},
      {.name = "machine",
       .summary = "machine types of the catalogue, as in aws/p4d.24xlarge",
       .target = &question.machines,
       .value_name = "LIST",
       .names = machine_names},
      {.name = "link",
       .summary = "a plain link between the GPUs of a node, as in nvlink-3",
       .target = &question.link,
       .value_name = "LINK"},
      {.name = "network",
       .summary =
           "a plain link between nodes; without --link it replaces the network of the systems or machines",
       .target = &question.network,
       .value_name = "LINK"},
      {.name = "systems",
       .summary = "files of further systems, in TOML",
       .target = &question.system_files,
       .value_name = "FILES"}};
}

std::vector<Option> question_options(ask::CollectiveTimesQuestion& question) {
  return {{.name = "op",
           .summary = "collectives: all-reduce, reduce-scatter, all-gather, broadcast, all-to-all, p2p",
           .target = &question.operations,
           .value_name = "LIST",
           .names = collectives::collective_names},
          {.name = "gpus",
           .summary = "number of GPUs that take part, over all nodes (default: all GPUs of the nodes)",
           .target = &question.gpus,
           .value_name = "LIST",
           .low = 1,
           .high = 1e7},
          {.name = "nodes",
           .summary = "number of nodes that the GPUs are spread over evenly (default 1)",
           .target = &question.nodes,
           .value_name = "LIST",
           .low = 1,
           .high = 1e6},
          {.name = "count",
           .summary = "number of machines, with --machine; the same as --nodes",
           .target = &question.count,
           .value_name = "LIST",
           .low = 1,
           .high = 1e6},
          {.name = "bytes",
           .summary = "size of the buffer of each GPU, with a unit",
           .target = &question.bytes,
           .value_name = "LIST"},
          {.name = "algorithm",
           .summary = "compare algorithms by their plain formulas: names, or all",
           .target = &question.algorithms,
           .value_name = "LIST",
           .names = [] { return with_all(collectives::algorithm_names()); }}};
}

}  // namespace

std::vector<Option> collective_options(CollectiveArgs& args) {
  std::vector<Option> options = place_options(args.question);
  for (auto& option : question_options(args.question)) options.push_back(std::move(option));
  options.push_back({.name = "model",
                     .summary = "a calibration of your own, made by 'sextant fit --method collective'",
                     .target = &args.question.model,
                     .value_name = "FILE"});
  options.push_back({.name = "cases",
                     .summary = "answer the rows of a CSV: system, collective, num_gpus, num_nodes, bytes",
                     .target = &args.cases,
                     .value_name = "FILE"});
  options.push_back({.name = "out",
                     .summary = "write the answers to --cases into this CSV (default: standard output)",
                     .target = &args.out,
                     .value_name = "FILE",
                     .writes = Writes::file});
  put_under("Many questions at once", {"cases", "out"}, options);
  return options;
}

}  // namespace sextant::cli
