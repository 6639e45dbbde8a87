#include "collective_args.h"

#include "sextant/collectives/collective.h"
#include "sextant/core/csv.h"

namespace sextant {
namespace {

std::vector<std::string> with_all(std::vector<std::string> names) {
  names.insert(names.begin(), "all");
  return names;
}

std::vector<Option> place_options(CollectiveArgs& args) {
  return {{.name = "system",
           .summary = "systems such as a100-dgx, or machines of the catalogue",
           .target = &args.systems,
           .value_name = "LIST"},
          {.name = "machine",
           .summary = "machine types of the catalogue, as in aws/p4d.24xlarge",
           .target = &args.machines,
           .value_name = "LIST"},
          {.name = "link",
           .summary = "a plain link between the GPUs of a node, as in nvlink-3",
           .target = &args.link,
           .value_name = "LINK"},
          {.name = "network",
           .summary = "a plain link between nodes; with --link, or in place of what is stated",
           .target = &args.network,
           .value_name = "LINK"},
          {.name = "systems",
           .summary = "files of further systems, in TOML",
           .target = &args.system_files,
           .value_name = "FILES"}};
}

std::vector<Option> question_options(CollectiveArgs& args) {
  return {{.name = "op",
           .summary = "collectives: all-reduce, reduce-scatter, all-gather, broadcast, all-to-all, p2p",
           .target = &args.operations,
           .value_name = "LIST",
           .names = collective_names},
          {.name = "gpus",
           .summary = "GPUs that take part, over all nodes; all GPUs of the nodes unless stated",
           .target = &args.gpus,
           .value_name = "LIST",
           .low = 1,
           .high = 1e7},
          {.name = "nodes",
           .summary = "nodes that they stand on, evenly; 1 unless stated",
           .target = &args.nodes,
           .value_name = "LIST",
           .low = 1,
           .high = 1e6},
          {.name = "count",
           .summary = "the same, of machines",
           .target = &args.count,
           .value_name = "LIST",
           .low = 1,
           .high = 1e6},
          {.name = "bytes",
           .summary = "buffer of each GPU, with a unit",
           .target = &args.bytes,
           .value_name = "LIST"},
          {.name = "algorithm",
           .summary = "compare algorithms by their plain formulas: names, or all",
           .target = &args.algorithms,
           .value_name = "LIST",
           .names = [] { return with_all(algorithm_names()); }}};
}

}  // namespace

std::vector<Option> collective_options(CollectiveArgs& args) {
  std::vector<Option> options = place_options(args);
  for (auto& option : question_options(args)) options.push_back(std::move(option));
  options.push_back({.name = "model",
                     .summary = "a calibration of your own, made by 'sextant fit --method collective'",
                     .target = &args.model,
                     .value_name = "FILE"});
  options.push_back({.name = "cases",
                     .summary = "answer the rows of a CSV: system, collective, num_gpus, num_nodes, bytes",
                     .target = &args.cases,
                     .value_name = "FILE"});
  options.push_back({.name = "out",
                     .summary = "with --cases: where the answers go; standard output unless stated",
                     .target = &args.out,
                     .value_name = "FILE"});
  return options;
}

Calibration calibration_of(const CollectiveArgs& args) {
  if (!args.model) return builtin_calibration();
  return calibration_from_json(read_text_file(*args.model), *args.model);
}

std::vector<System> systems_asked(const CollectiveArgs& args, const Systems& systems,
                                  const Catalog& catalog) {
  std::vector<System> asked;
  for (const auto& name : args.systems) asked.push_back(find_system(systems, catalog, name, {"--system"}));
  for (const auto& name : args.machines) {
    asked.push_back(system_of(catalog, catalog.machines.get(name, {"--machine"})));
  }
  if (args.link) asked.push_back(system_of(catalog, *args.link, args.network.value_or("")));
  if (asked.empty()) {
    throw InputError({}, "--system, --machine or --link is missing: what joins the GPUs?",
                     "such as '--system a100-dgx', or '--cases FILE.csv'");
  }
  if (args.network && !args.link) {
    const System plain = system_of(catalog, "pcie-3-x16", *args.network);
    for (System& system : asked) system.network = plain.network;
  }
  return asked;
}

}  // namespace sextant
