#include "sextant/ask/collectives.h"

#include <algorithm>

#include "sextant/collectives/fabric_of.h"
#include "sextant/core/csv.h"
#include "sextant/core/unit_text.h"

namespace sextant::ask {
namespace {

// The calibration of the question's file, or the one that ships.
collectives::Calibration calibration_of(const CollectiveTimesQuestion& question) {
  if (!question.model) return collectives::builtin_calibration();
  return collectives::calibration_from_json(read_text_file(*question.model), *question.model);
}

// What the fields name, in their order. InputError where they name nothing.
std::vector<collectives::System> systems_asked(const CollectiveTimesQuestion& question,
                                               const collectives::Systems& systems,
                                               const catalog::Catalog& catalog) {
  std::vector<collectives::System> asked;
  for (const auto& name : question.systems)
    asked.push_back(find_system(systems, catalog, name, at_field("system")));
  for (const auto& name : question.machines) {
    asked.push_back(collectives::system_of(catalog, catalog.machines.get(name, at_field("machine"))));
  }
  if (question.link)
    asked.push_back(collectives::system_of(catalog, *question.link, question.network.value_or("")));
  if (asked.empty()) {
    throw InputError({}, "`system`, `machine` or `link` is missing: what joins the GPUs?",
                     "such as '`system` a100-dgx', or '`cases` FILE.csv'");
  }
  if (question.network && !question.link) {
    const collectives::System plain = collectives::system_of(catalog, "pcie-3-x16", *question.network);
    for (collectives::System& system : asked) system.network = plain.network;
  }
  return asked;
}

std::vector<std::int64_t> nodes_asked(const CollectiveTimesQuestion& question) {
  if (!question.nodes.empty() && !question.count.empty()) {
    throw InputError(at_field("count"), "`count` means the same as `nodes`: give one of them");
  }
  if (!question.nodes.empty()) return question.nodes;
  return question.count.empty() ? std::vector<std::int64_t>{1} : question.count;
}

std::vector<std::int64_t> gpus_asked(const CollectiveTimesQuestion& question,
                                     const collectives::System& system, std::int64_t nodes) {
  if (!question.gpus.empty()) return question.gpus;
  if (question.link && system.gpus > 1'000'000)
    throw InputError(at_field("gpus"), "the number of GPUs is missing: plain links do not say it");
  return {system.gpus * nodes};
}

std::vector<collectives::CollectiveQuestion> questions_of(const CollectiveTimesQuestion& asked,
                                                          const collectives::System& system) {
  std::vector<collectives::CollectiveQuestion> questions;
  for (const auto& operation : asked.operations) {
    const collectives::Collective collective = collectives::parse_collective(operation, at_field("op"));
    for (const std::int64_t nodes : nodes_asked(asked)) {
      for (const std::int64_t gpus : gpus_asked(asked, system, nodes)) {
        for (const auto& size : asked.bytes) {
          questions.push_back({collective, gpus, nodes, parse_bytes(size, at_field("bytes"))});
        }
      }
    }
  }
  return questions;
}

std::vector<collectives::Algorithm> algorithms_asked(const CollectiveTimesQuestion& question) {
  const bool all = std::ranges::find(question.algorithms, "all") != question.algorithms.end();
  std::vector<collectives::Algorithm> algorithms;
  for (const auto& name : all ? collectives::algorithm_names() : question.algorithms) {
    algorithms.push_back(collectives::parse_algorithm(name, at_field("algorithm")));
  }
  return algorithms;
}

// Of lists that are crossed, some pairs may be impossible; they are told once and left out.
template <class Answer>
void for_each_possible(const CollectiveTimesQuestion& question, const catalog::Catalog& catalog,
                       std::vector<std::string>& told, const Answer& answer) {
  const collectives::Systems systems = collectives::load_systems(catalog, question.system_files);
  for (const collectives::System& system : systems_asked(question, systems, catalog)) {
    for (const collectives::CollectiveQuestion& one : questions_of(question, system)) {
      try {
        answer(system, one);
      } catch (const InputError& error) {
        if (std::ranges::find(told, error.message()) == told.end()) told.push_back(error.message());
      }
    }
  }
}

std::vector<AlgorithmRow> compare_algorithms(const CollectiveTimesQuestion& question,
                                             const catalog::Catalog& catalog,
                                             std::vector<std::string>& told) {
  const collectives::Calibration calibration = calibration_of(question);
  const auto algorithms = algorithms_asked(question);
  std::vector<AlgorithmRow> rows;
  for_each_possible(question, catalog, told,
                    [&](const collectives::System& system, const collectives::CollectiveQuestion& one) {
                      (void)estimate(calibration, system, one);  // refuses what the system cannot hold
                      const collectives::CollectiveTask task{
                          one.collective, one.bytes, {.ranks = one.gpus, .nodes = one.nodes}};
                      for (const collectives::Algorithm algorithm : algorithms) {
                        const auto cost = algorithm_cost(fabric_of(system, calibration), algorithm, task);
                        if (cost) rows.push_back({system.id, one, *cost});
                      }
                    });
  return rows;
}

std::vector<CollectiveRow> estimate_times(const CollectiveTimesQuestion& question,
                                          const catalog::Catalog& catalog, std::vector<std::string>& told) {
  const collectives::Calibration calibration = calibration_of(question);
  std::vector<CollectiveRow> rows;
  for_each_possible(question, catalog, told,
                    [&](const collectives::System& system, const collectives::CollectiveQuestion& one) {
                      rows.push_back({system.id, one, estimate(calibration, system, one)});
                    });
  return rows;
}

void refuse_beside_cases(const CollectiveTimesQuestion& question) {
  if (!question.systems.empty() || !question.machines.empty() || question.link || question.network) {
    throw InputError(at_field("cases"), "the rows name their systems", "`systems` FILES adds your own");
  }
  if (!question.gpus.empty() || !question.nodes.empty() || !question.count.empty() ||
      !question.algorithms.empty()) {
    throw InputError(at_field("cases"),
                     "`gpus`, `nodes`, `count` and `algorithm` cannot be given: the rows say them");
  }
}

}  // namespace

CollectiveTimes collective_times(const CollectiveTimesQuestion& question, const catalog::Catalog& catalog) {
  CollectiveTimes times;
  if (question.algorithms.empty()) {
    times.rows = estimate_times(question, catalog, times.warnings);
  } else {
    times.algorithms = compare_algorithms(question, catalog, times.warnings);
  }
  if (times.rows.empty() && times.algorithms.empty()) {
    throw InputError(times.warnings.empty() ? "nothing was asked" : times.warnings.front());
  }
  return times;
}

std::vector<collectives::CollectiveAnswer> collective_cases(const CollectiveTimesQuestion& question,
                                                            const CsvTable& cases,
                                                            const catalog::Catalog& catalog) {
  refuse_beside_cases(question);
  const collectives::Systems systems = collectives::load_systems(catalog, question.system_files);
  const collectives::Calibration calibration = calibration_of(question);
  return collectives::answer_collectives(cases, {catalog, systems, calibration});
}

}  // namespace sextant::ask
