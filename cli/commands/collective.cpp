// sextant collective: what all-reduce and its kin cost on a system, a machine type or plain links.
#include <algorithm>
#include <memory>

#include "catalog_option.h"
#include "collective_args.h"
#include "sextant/cli/run.h"
#include "sextant/collectives/fabric_of.h"
#include "sextant/core/unit_text.h"
#include "sextant/report/collective_report.h"

namespace sextant {
namespace {

std::vector<std::int64_t> nodes_asked(const CollectiveArgs& args) {
  if (!args.nodes.empty() && !args.count.empty()) {
    throw InputError({"--count"}, "is the same as --nodes: give one of them");
  }
  if (!args.nodes.empty()) return args.nodes;
  return args.count.empty() ? std::vector<std::int64_t>{1} : args.count;
}

std::vector<std::int64_t> gpus_asked(const CollectiveArgs& args, const System& system, std::int64_t nodes) {
  if (!args.gpus.empty()) return args.gpus;
  if (args.link && system.gpus > 1'000'000)
    throw InputError({"--gpus"}, "is missing: plain links have no number of GPUs");
  return {system.gpus * nodes};
}

std::vector<CollectiveQuestion> questions_of(const CollectiveArgs& args, const System& system) {
  std::vector<CollectiveQuestion> questions;
  for (const auto& operation : args.operations) {
    const Collective collective = parse_collective(operation, {"--op"});
    for (const std::int64_t nodes : nodes_asked(args)) {
      for (const std::int64_t gpus : gpus_asked(args, system, nodes)) {
        for (const auto& size : args.bytes) {
          questions.push_back({collective, gpus, nodes, parse_bytes(size, {"--bytes"})});
        }
      }
    }
  }
  return questions;
}

Algorithm algorithm_of(Collective collective) {
  if (collective == Collective::p2p) return Algorithm::direct;
  if (collective == Collective::broadcast) return Algorithm::chain;
  return collective == Collective::all_to_all ? Algorithm::pairwise : Algorithm::ring;
}

// Of lists that are crossed, some pairs may be impossible; they are told once and left out.
template <class Row, class Answer>
std::vector<Row> rows_of(const CollectiveArgs& args, const Io& io, const Catalog& catalog,
                         const Answer& answer) {
  const Systems systems = load_systems(catalog, args.system_files);
  std::vector<Row> rows;
  std::vector<std::string> told;
  for (const System& system : systems_asked(args, systems, catalog)) {
    for (const CollectiveQuestion& question : questions_of(args, system)) {
      try {
        answer(system, question, rows);
      } catch (const InputError& error) {
        if (std::ranges::find(told, error.message()) == told.end()) told.push_back(error.message());
      }
    }
  }
  if (rows.empty()) throw InputError(told.empty() ? "nothing was asked" : told.front());
  for (const auto& line : told) warn(io, line);
  return rows;
}

std::vector<Algorithm> algorithms_asked(const CollectiveArgs& args) {
  const bool all = std::ranges::find(args.algorithms, "all") != args.algorithms.end();
  std::vector<Algorithm> algorithms;
  for (const auto& name : all ? algorithm_names() : args.algorithms) {
    algorithms.push_back(parse_algorithm(name, {"--algorithm"}));
  }
  return algorithms;
}

int compare_algorithms(const CollectiveArgs& args, const Io& io, const Globals& globals) {
  const Catalog catalog = open_catalog(io, globals);
  const Calibration calibration = calibration_of(args);
  const auto algorithms = algorithms_asked(args);
  const auto rows = rows_of<AlgorithmRow>(
      args, io, catalog, [&](const System& system, const CollectiveQuestion& q, auto& found) {
        (void)estimate(calibration, system, q);  // refuses what the system cannot hold
        const CollectiveTask task{q.collective, q.bytes, {.ranks = q.gpus, .nodes = q.nodes}};
        for (const Algorithm algorithm : algorithms) {
          const auto cost = algorithm_cost(fabric_of(system, calibration), algorithm, task);
          if (cost) found.push_back({system.id, q, *cost});
        }
      });
  write_table(io, globals, algorithm_table(rows));
  return kDone;
}

int collective(const CollectiveArgs& args, const Io& io, const Globals& globals) {
  if (args.cases) return collective_cases(args, io, globals);
  if (args.out) throw InputError({"--out"}, "is for the answers to --cases");
  if (!args.algorithms.empty()) return compare_algorithms(args, io, globals);
  const Catalog catalog = open_catalog(io, globals);
  const Calibration calibration = calibration_of(args);
  const auto rows = rows_of<CollectiveRow>(
      args, io, catalog, [&](const System& system, const CollectiveQuestion& q, auto& found) {
        found.push_back({system.id, q, estimate(calibration, system, q), algorithm_of(q.collective)});
      });
  write_table(io, globals, collective_table(rows));
  return kDone;
}

}  // namespace

std::vector<Command> command_collective() {
  const auto args = std::make_shared<CollectiveArgs>();
  return {{.path = "collective",
           .summary = "what an all-reduce and its kin take on a system, a machine type or plain links",
           .details = "Times come from a model that was calibrated on timed collectives of NCCL; see "
                      "docs/models/collectives.md. The interval is wider for systems that were never timed.",
           .examples = {"sextant collective --system a100-dgx --op all-reduce --gpus 2,4,8 --nodes 1,2 "
                        "--bytes 1MiB,64MiB",
                        "sextant collective --machine aws/p4d.24xlarge --count 1,2,4 --bytes 100MB",
                        "sextant collective --cases cases.csv --out answers.csv"},
           .options = collective_options(*args),
           .run = [args](const Io& io, const Globals& globals) { return collective(*args, io, globals); }}};
}

}  // namespace sextant
