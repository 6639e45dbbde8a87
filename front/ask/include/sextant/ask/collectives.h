// What all-reduce and similar operations take on systems, machine types or plain links: lists are crossed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sextant/catalog/catalog.h"
#include "sextant/collectives/calibration.h"
#include "sextant/collectives/collective.h"
#include "sextant/collectives/collective_cases.h"

namespace sextant::ask {

struct CollectiveTimesQuestion {
  std::vector<std::string> systems = {};
  std::vector<std::string> machines = {};
  std::optional<std::string> link = {};  // a plain link between the GPUs of a node
  std::optional<std::string> network =
      {};  // a plain link between nodes; with `link`, or in place of what is stated
  std::vector<std::string> operations = {"all-reduce"};
  std::vector<std::int64_t> gpus = {};   // over all nodes; none: all of the nodes
  std::vector<std::int64_t> nodes = {};  // none: 1
  std::vector<std::int64_t> count = {};  // of machines: the same as nodes
  std::vector<std::string> bytes = {"1MiB", "64MiB"};
  std::vector<std::string> algorithms = {};    // compared by their plain formulas; "all"
  std::vector<std::string> system_files = {};  // further systems, in TOML
  std::optional<std::string> model = {};       // file of a calibration; none: the one that ships
};

struct CollectiveRow {
  std::string system;
  collectives::CollectiveQuestion question;
  collectives::CollectiveEstimate estimate;
};
struct AlgorithmRow {
  std::string system;
  collectives::CollectiveQuestion question;
  collectives::CollectiveCost cost;
};

struct CollectiveTimes {
  std::vector<CollectiveRow> rows = {};       // where no algorithms are compared
  std::vector<AlgorithmRow> algorithms = {};  // where they are
  std::vector<std::string> warnings = {};     // pairs of the lists that are impossible, and left out
};

// InputError where nothing is possible.
CollectiveTimes collective_times(const CollectiveTimesQuestion& question, const catalog::Catalog& catalog);

// A row of `cases` each, with columns system, collective, num_gpus, num_nodes and bytes. Of the question only
// the files of systems and the model have a meaning.
std::vector<collectives::CollectiveAnswer> collective_cases(const CollectiveTimesQuestion& question,
                                                            const CsvTable& cases,
                                                            const catalog::Catalog& catalog);

}  // namespace sextant::ask
