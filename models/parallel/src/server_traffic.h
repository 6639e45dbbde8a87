// What workers and parameter servers send over the cards of their nodes.
#pragma once

#include "sextant/parallel/parallel_strategy.h"

namespace sextant::parallel {

enum class Dealing { equal, proportional, tensors };

struct ServerSetup {
  std::int64_t servers = 1;
  bool colocated = true;
  Dealing dealing = Dealing::equal;
  double slow = 1;  // rate of the slowest server, as a part of that of the others
};

struct ServerTraffic {
  Seconds together = {};  // one direction, all workers at once
  Seconds alone = {};     // one direction, one worker
};

// Gradients one way or weights the other.
ServerTraffic server_traffic(const ParallelQuery& query, const ServerSetup& setup);

}  // namespace sextant::parallel
