// Plain chains of layers (multilayer perceptrons) trained by SGD without libtorch's graph: a step of a small
// one takes less time than recording it. The products are BLAS's; without momentum a weight's gradient is
// added to the weight as it is made and never stored.
#pragma once

#include <memory>

#include "sextant/federated/local_model.h"
#include "sextant/measure/replica.h"
#include "sextant/nets/graph.h"

namespace sextant::engine {

// Over the replica's parameters; nothing where the graph is no such chain, or there is no BLAS to ask.
std::unique_ptr<federated::LocalModel> dense_chain(const nets::Graph& graph,
                                                   std::unique_ptr<measure::Replica>& replica);

}  // namespace sextant::engine
