// Runs a `nets` graph with libtorch. This header is free of libtorch's, which take half a minute to compile.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sextant/measure/outcome.h"
#include "sextant/measure/replica.h"
#include "sextant/nets/graph.h"

namespace sextant::engine {

struct EngineOptions {
  std::int64_t threads = 1;
  std::uint64_t seed = 0;
  std::int64_t worker = 0;  // draws masks of dropout that no other worker has; weights are the same on all
};

// InputError for a graph with operators that libtorch cannot be told to run (Opaque), naming them.
std::unique_ptr<measure::Replica> make_replica(const nets::Graph& graph, const EngineOptions& options);

// Each operator of the graph timed in its place: the whole graph is run operator by operator, forward and
// then backward, so that inputs lie in the caches as they do in training; medians over `repetitions`.
struct ProfileOptions {
  EngineOptions engine;
  std::int64_t warmup = 2;
  std::int64_t repetitions = 5;
  bool backward = true;
};
std::vector<measure::OperatorTiming> profile_operators(const nets::Graph& graph,
                                                       const ProfileOptions& options);

std::vector<std::pair<std::string, std::string>> engine_versions();  // torch, its BLAS, oneDNN, gloo, mpi

}  // namespace sextant::engine
