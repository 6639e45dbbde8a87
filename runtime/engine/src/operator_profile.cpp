// Operators timed where they run in training: forward around each call, backward by hooks around the pieces
// of libtorch's graph that the call has made. Nothing is taken apart, so memory, caches and operators that
// overwrite their argument are those of a training step.
#include <ATen/core/ivalue.h>  // before what has vectors of it: Clang wants it complete
#include <torch/csrc/autograd/autograd.h>
#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/function_hook.h>
#include <torch/csrc/autograd/functions/accumulate_grad.h>

#include <set>

#include "engine_threads.h"
#include "graph_model.h"
#include "sextant/core/error.h"
#include "sextant/engine/executor.h"
#include "sextant/measure/clock.h"
#include "sextant/nets/cost.h"
#include "sextant/stats/robust.h"

namespace sextant::engine {
namespace {

using GradientNode = torch::autograd::Node;
using torch::autograd::variable_list;

struct Stopwatch;

// Which operator's piece ended last, and when.
struct LastPiece {
  const Stopwatch* of = nullptr;
  std::int64_t end = 0;  // ns, as all instants here
};

// Time of one repetition in the backward pieces of one operator. Between two pieces that follow each other
// libtorch adds up gradients, such as those of weights that a recurrent layer uses at every position: these
// belong to the operator as well.
struct Stopwatch {
  LastPiece* last = nullptr;
  std::int64_t start = 0;
  double seconds = 0;
};

class StartWatch final : public torch::autograd::FunctionPreHook {
 public:
  explicit StartWatch(Stopwatch& watch) : watch_(watch) {}
  variable_list operator()(const variable_list& gradients) override {
    variable_list same = gradients;
    watch_.start = watch_.last->of == &watch_ ? watch_.last->end : measure::monotonic_ns();
    return same;
  }

 private:
  Stopwatch& watch_;
};

class StopWatch final : public torch::autograd::FunctionPostHook {
 public:
  explicit StopWatch(Stopwatch& watch) : watch_(watch) {}
  variable_list operator()(const variable_list& outputs, const variable_list&) override {
    *watch_.last = {&watch_, measure::monotonic_ns()};
    watch_.seconds += static_cast<double>(watch_.last->end - watch_.start) * 1e-9;
    return outputs;
  }

 private:
  Stopwatch& watch_;
};

// Adds hooks to all that lies between the gradient of an operator's result and those of its arguments.
void watch_between(GradientNode* from, std::set<GradientNode*> done, Stopwatch& watch) {
  std::vector<GradientNode*> open = {from};
  while (!open.empty()) {
    GradientNode* node = open.back();
    open.pop_back();
    const bool leaf = dynamic_cast<torch::autograd::AccumulateGrad*>(node) != nullptr;
    if (node == nullptr || leaf || !done.insert(node).second) continue;
    node->add_pre_hook(std::make_unique<StartWatch>(watch));
    node->add_post_hook(std::make_unique<StopWatch>(watch));
    for (const auto& edge : node->next_edges()) open.push_back(edge.function.get());
  }
}

struct StepSamples {
  std::vector<double> forward;
  std::vector<double> backward;
};

class OperatorProfile {
 public:
  OperatorProfile(const nets::Graph& graph, const ProfileOptions& options)
      : backward_(options.backward), model_(graph, options.engine), samples_(model_.step_count()) {}

  void repeat(bool counts) {
    const at::AutoGradMode gradients(backward_);
    NodeValues values = model_.bind({});
    std::vector<double> forward(model_.step_count());
    std::vector<std::shared_ptr<GradientNode>> made(model_.graph().nodes.size());
    for (std::size_t i = 0; i < model_.step_count(); ++i) {
      const std::int64_t start = measure::monotonic_ns();
      model_.run_step(i, values);
      forward[i] = measure::seconds_since(start);
      const auto id = static_cast<std::size_t>(model_.node_of(i));
      made[id] = values[id].grad_fn();  // now, since a later operator may overwrite the value
      model_.release(i, values);
    }
    LastPiece last;
    std::vector<Stopwatch> watches(model_.step_count(), Stopwatch{.last = &last});
    if (backward_) run_backward(values, made, watches);
    if (!counts) return;
    for (std::size_t i = 0; i < forward.size(); ++i) {
      samples_[i].forward.push_back(forward[i]);
      samples_[i].backward.push_back(watches[i].seconds);
    }
  }

  [[nodiscard]] std::vector<measure::OperatorTiming> medians() const {
    const nets::GraphCost costs = cost(model_.graph());
    std::vector<measure::OperatorTiming> timings;
    for (std::size_t i = 0; i < samples_.size(); ++i) {
      const nets::NodeId id = model_.node_of(i);
      const nets::Node& node = model_.graph().nodes[static_cast<std::size_t>(id)];
      const nets::OpCost& op = costs.ops[static_cast<std::size_t>(id)];
      timings.push_back({.node = id,
                         .name = node.name,
                         .type = type_name(node.op),
                         .forward_s = stats::median(samples_[i].forward),
                         .backward_s = stats::median(samples_[i].backward),
                         .bytes = op.forward_bytes.value,
                         .flop = op.forward.value});
    }
    return timings;
  }

 private:
  void run_backward(NodeValues& values, const std::vector<std::shared_ptr<GradientNode>>& made,
                    std::vector<Stopwatch>& watches) {
    for (std::size_t i = 0; i < watches.size(); ++i) {
      const auto id = static_cast<std::size_t>(model_.node_of(i));
      std::set<GradientNode*> arguments;
      for (const nets::NodeId input : model_.graph().nodes[id].inputs) {
        arguments.insert(made[static_cast<std::size_t>(input)].get());
      }
      watch_between(made[id].get(), std::move(arguments), watches[i]);
    }
    const at::Tensor loss = model_.loss(values, {});
    values.clear();
    if (loss.requires_grad()) torch::autograd::backward({loss});
    for (const at::Tensor& leaf : model_.leaves()) leaf.mutable_grad().reset();
  }

  bool backward_;
  GraphModel model_;
  std::vector<StepSamples> samples_;
};

}  // namespace

std::vector<measure::OperatorTiming> profile_operators(const nets::Graph& graph,
                                                       const ProfileOptions& options) {
  if (options.repetitions < 1 || options.warmup < 0) {
    throw InputError("operators are timed in at least one repetition, and no fewer than 0 before it");
  }
  prepare_process(options.engine.threads);
  OperatorProfile profile(graph, options);
  for (std::int64_t i = 0; i < options.warmup + options.repetitions; ++i) profile.repeat(i >= options.warmup);
  return profile.medians();
}

}  // namespace sextant::engine
