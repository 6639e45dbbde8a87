// Models as clients of a federation train them.
#pragma once

#include <memory>

#include "sextant/federated/federation.h"
#include "sextant/federated/local_model.h"
#include "sextant/nets/graph.h"

namespace sextant::engine {

// The fastest that there is for this graph.
std::unique_ptr<federated::LocalModel> local_model(const nets::Graph& graph,
                                                   const federated::Federation& federation);

}  // namespace sextant::engine
