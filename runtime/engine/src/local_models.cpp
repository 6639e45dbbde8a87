#include "local_models.h"

#include "dense_chain.h"
#include "sextant/engine/executor.h"

namespace sextant::engine {

std::unique_ptr<federated::LocalModel> local_model(const nets::Graph& graph,
                                                   const federated::Federation& federation) {
  auto replica = make_replica(graph, {.threads = federation.threads, .seed = federation.seed});
  if (auto chain = dense_chain(graph, replica)) return chain;
  return federated::replica_model(std::move(replica), federation.sizes.batch);
}

}  // namespace sextant::engine
