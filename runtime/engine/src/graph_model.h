// A graph bound to memory: weights as leaves of autograd that lie in flat arrays, operators as kernels in
// order, and when each intermediate result is read for the last time.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernels.h"
#include "sextant/engine/executor.h"
#include "sextant/input/batches.h"
#include "weight_layout.h"

namespace sextant::engine {

class GraphModel {
 public:
  // InputError for what cannot be run: unknown operators, a batch norm over single values.
  GraphModel(const nets::Graph& graph, const EngineOptions& options);

  [[nodiscard]] const nets::Graph& graph() const { return graph_; }
  [[nodiscard]] const WeightLayout& layout() const { return layout_; }
  [[nodiscard]] const std::vector<at::Tensor>& leaves() const { return leaves_; }  // as layout().parameters
  std::span<float> parameters() { return span_of(parameters_); }
  std::span<float> statistics() { return span_of(statistics_); }
  Pass& pass() { return pass_; }

  // Values of the inputs, which share the batch's memory: it has to live until the backward pass is over.
  NodeValues bind(const input::Batch& batch);
  [[nodiscard]] std::size_t step_count() const { return steps_.size(); }
  [[nodiscard]] nets::NodeId node_of(std::size_t step) const { return steps_[step].node; }
  // Computes the value of the step's node.
  void run_step(std::size_t step, NodeValues& values) const {
    const Step& s = steps_[step];
    values[static_cast<std::size_t>(s.node)] = s.kernel(values, pass_);
  }
  // Drops values that no later step reads.
  void release(std::size_t step, NodeValues& values) const {
    for (const nets::NodeId id : steps_[step].dead) values[static_cast<std::size_t>(id)].reset();
  }
  void run(NodeValues& values) const {
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      run_step(i, values);
      release(i, values);
    }
  }
  // Sum of the losses of the outputs, each a mean over the batch.
  at::Tensor loss(const NodeValues& values, const input::Batch& batch);
  measure::TestScore score(const NodeValues& values, const input::Batch& batch);

 private:
  struct Step {
    nets::NodeId node = 0;
    Kernel kernel;
    std::vector<nets::NodeId> dead = {};
  };
  static std::span<float> span_of(const at::Tensor& flat);
  void make_leaves();
  void make_steps();
  [[nodiscard]] OpWeights weights_of(nets::NodeId id) const;
  // Class of each row of an output: the batch's, or drawn.
  at::Tensor labels(nets::NodeId output, const input::Batch& batch);

  nets::Graph graph_;
  std::uint64_t seed_ = 0;
  WeightLayout layout_;
  at::Tensor parameters_;
  at::Tensor statistics_;
  std::vector<at::Tensor> leaves_;
  std::vector<at::Tensor> moving_;  // as layout().statistics
  std::vector<Step> steps_;
  std::vector<at::Tensor> drawn_inputs_;  // by node, made when first needed
  std::vector<at::Tensor> drawn_labels_;  // by node of the output
  Pass pass_;
};

// Which input of each node its result may overwrite, -1 where none: an activation or a sum whose argument
// nobody else reads, where the argument's own gradient does not need it.
std::vector<int> overwritten_inputs(const nets::Graph& graph);

}  // namespace sextant::engine
