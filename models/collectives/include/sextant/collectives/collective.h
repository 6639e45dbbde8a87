// What a collective operation costs over the links of a cluster: Hockney's alpha-beta model, one formula
// for each algorithm, and the cheapest of them for a group of ranks on one or several nodes.
// Formulas and sources: docs/models/collectives.md.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sextant/core/error.h"
#include "sextant/core/units.h"

namespace sextant::collectives {

enum class Collective { all_reduce, reduce_scatter, all_gather, broadcast, all_to_all, p2p };
enum class Algorithm {
  direct,              // one message
  ring,                //
  tree,                // binomial: reduce, then broadcast
  recursive_doubling,  // butterfly
  halving_doubling,    // Rabenseifner
  chain,               // pipelined in chunks
  pairwise,            //
  hierarchical,        // inside the nodes, across them, inside again
  in_switch,           // the switch of a node sums what it passes on
};

// Share of the rate of its links that an all-reduce reaches whose sums are the switch's. NCCL on one to eight
// H100: 370 GB/s as a ring, 480 GB/s in the switch (github.com/NVIDIA/nccl, issue 1455), where it moves 9/14
// of the bytes.
inline constexpr double kSwitchShare = 480.0 / 370.0 * 9.0 / 14.0;

std::string to_string(Collective collective);
std::string to_string(Algorithm algorithm);
// Folds case and separators, knows "send_recv"; InputError with the known names.
Collective parse_collective(std::string_view name, const SourcePos& at = {});
Algorithm parse_algorithm(std::string_view name, const SourcePos& at = {});
std::vector<std::string> algorithm_names();
std::vector<std::string> collective_names();

// A message of m bytes takes latency + (m + half_size) / bandwidth: `half_size` bytes reach half the rate.
struct Path {
  Seconds latency;
  Bandwidth bandwidth;  // per direction
  Bytes half_size = {};
  bool reduces = false;  // goes through a switch that sums
};

struct CollectiveCost {
  Seconds latency;   // start-ups
  Seconds transfer;  // bytes on the slowest link
  Algorithm algorithm = Algorithm::direct;

  [[nodiscard]] Seconds total() const { return latency + transfer; }
};

struct Message {
  Bytes buffer;
  std::int64_t ranks = 2;
};

// One algorithm among `ranks` equal ranks on one kind of path. `buffer` is the whole buffer: what an
// all-reduce sums, what an all-gather ends with, what one rank sends in an all-to-all. Nothing where the
// algorithm does not do this operation.
std::optional<CollectiveCost> flat_cost(Collective collective, Algorithm algorithm, const Path& path,
                                        Message message);

// Where the ranks of one group stand: evenly over the nodes, or nearly so.
struct Group {
  std::int64_t ranks = 1;
  std::int64_t nodes = 1;
  double flows = 1;  // groups that cross a node's network card at the same time, this one included

  [[nodiscard]] std::int64_t per_node() const { return (ranks + nodes - 1) / nodes; }
};

// The links of a cluster as its ranks see them.
struct Fabric {
  Path inside;                      // between two GPUs of a node
  std::optional<Path> across = {};  // between two nodes, one network card; none: no network joins them
};

// The cheapest algorithm; nothing takes no time with one rank. A group on several nodes needs
// `fabric.across`: InputError without.
CollectiveCost collective_cost(const Fabric& fabric, Collective collective, Bytes buffer, const Group& group);

struct CollectiveTask {
  Collective collective = Collective::all_reduce;
  Bytes buffer;
  Group group;
};

// One algorithm on the fabric: flat ones run through the slowest path between their ranks. Nothing where
// the algorithm does not do this operation, or needs several ranks on each of several nodes.
std::optional<CollectiveCost> algorithm_cost(const Fabric& fabric, Algorithm algorithm,
                                             const CollectiveTask& task);

}  // namespace sextant::collectives
