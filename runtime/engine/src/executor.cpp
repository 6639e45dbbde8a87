// The replica: forward keeps libtorch's graph, backward runs it on the calling thread and takes each gradient
// out of it as soon as it is final.
#include "sextant/engine/executor.h"

#include <ATen/core/ivalue.h>  // before what has vectors of it: Clang wants it complete
#include <ATen/ops/from_blob.h>
#include <ATen/ops/zeros.h>
#include <torch/csrc/autograd/autograd.h>
#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/function_hook.h>
#include <torch/csrc/autograd/variable.h>

#include <functional>
#include <stdexcept>

#include "engine_threads.h"
#include "graph_model.h"

namespace sextant::engine {
namespace {

using torch::autograd::variable_list;

// Where gradients go during one backward pass.
struct GradientSink {
  std::vector<at::Tensor> parts;       // of the flat array
  std::vector<at::Tensor> apart = {};  // as the backward pass made them
  std::vector<bool> seen = {};
  const std::function<void(std::size_t)>* ready = nullptr;  // none: gradients are kept apart

  void take(std::size_t i, const at::Tensor& gradient) {
    if (ready == nullptr) {
      apart[i] = gradient.defined() ? gradient.contiguous() : at::zeros_like(parts[i]);
      seen[i] = true;
      return;
    }
    if (gradient.defined()) {
      parts[i].copy_(gradient);
    } else {
      parts[i].zero_();
    }
    seen[i] = true;
    (*ready)(i);
  }
};

// Runs in the place of the accumulation into .grad: one copy instead of clearing and adding, and the
// gradient's own memory is free for the next layer at once.
class TakeGradient final : public torch::autograd::FunctionPreHook {
 public:
  TakeGradient(GradientSink& sink, std::size_t index) : sink_(sink), index_(index) {}
  variable_list operator()(const variable_list& gradients) override {
    sink_.take(index_, gradients.at(0));
    return {at::Tensor()};  // nothing is left to accumulate
  }

 private:
  GradientSink& sink_;
  std::size_t index_;
};

class TorchReplica final : public measure::Replica {
 public:
  TorchReplica(const nets::Graph& graph, const EngineOptions& options)
      : threads_(options.threads), model_(graph, options) {
    gradients_ = at::zeros({model_.layout().parameter_count}, at::kFloat);
    for (const PlacedTensor& tensor : model_.layout().parameters) {
      tensors_.push_back({.name = tensor.name, .offset = tensor.offset, .count = tensor.count});
      sink_.parts.push_back(
          at::from_blob(gradients_.data_ptr<float>() + tensor.offset, tensor.shape, at::kFloat));
    }
    for (std::size_t i = 0; i < model_.leaves().size(); ++i) {
      accumulators_.push_back(torch::autograd::impl::grad_accumulator(model_.leaves()[i]));
      accumulators_.back()->add_pre_hook(std::make_unique<TakeGradient>(sink_, i));
    }
  }
  ~TorchReplica() override = default;
  TorchReplica(const TorchReplica&) = delete;
  TorchReplica& operator=(const TorchReplica&) = delete;

  [[nodiscard]] const std::vector<measure::TensorPart>& tensors() const override { return tensors_; }
  std::span<float> parameters() override { return model_.parameters(); }
  std::span<float> gradients() override {
    return {gradients_.data_ptr<float>(), static_cast<std::size_t>(gradients_.numel())};
  }
  std::span<float> statistics() override { return model_.statistics(); }

  double forward(const input::Batch& batch) override {
    use_threads(threads_);
    model_.pass().training = true;
    loss_.reset();
    sink_.apart.clear();  // their memory serves the forward pass
    NodeValues values = model_.bind(batch);
    model_.run(values);
    loss_ = model_.loss(values, batch);
    return loss_.item<double>();
  }

  void backward(const std::function<void(std::size_t tensor)>& ready) override { run_backward(&ready); }

  void backward_apart() override {
    sink_.apart.resize(tensors_.size());
    run_backward(nullptr);
  }
  std::span<const float> apart(std::size_t tensor) override {
    const at::Tensor& gradient = sink_.apart.at(tensor);
    return {gradient.data_ptr<float>(), static_cast<std::size_t>(gradient.numel())};
  }

  measure::TestScore evaluate(const input::Batch& batch) override {
    return model_.score(tested(batch), batch);
  }
  std::vector<float> outputs(const input::Batch& batch) override {
    const NodeValues values = tested(batch);
    const auto id = static_cast<std::size_t>(model_.graph().outputs.at(0));
    const at::Tensor output = values[id].contiguous();
    const float* first = output.data_ptr<float>();
    return {first, first + output.numel()};
  }

 private:
  NodeValues tested(const input::Batch& batch) {
    use_threads(threads_);
    const at::NoGradGuard no_gradients;
    model_.pass().training = false;
    NodeValues values = model_.bind(batch);
    model_.run(values);
    return values;
  }

  void run_backward(const std::function<void(std::size_t)>* ready) {
    if (!loss_.defined()) throw std::logic_error("backward without a forward before it");
    use_threads(threads_);
    sink_.ready = ready;
    sink_.seen.assign(tensors_.size(), false);
    const at::Tensor loss = std::move(loss_);
    loss_.reset();
    if (loss.requires_grad()) torch::autograd::backward({loss});
    for (std::size_t i = 0; i < tensors_.size(); ++i) {
      if (!sink_.seen[i]) sink_.take(i, {});
    }
  }

  std::int64_t threads_;
  GraphModel model_;
  at::Tensor gradients_;
  std::vector<measure::TensorPart> tensors_;
  GradientSink sink_;
  std::vector<std::shared_ptr<torch::autograd::Node>> accumulators_;  // leaves know theirs only weakly
  at::Tensor loss_;
};

}  // namespace

std::unique_ptr<measure::Replica> make_replica(const nets::Graph& graph, const EngineOptions& options) {
  prepare_process(options.threads);
  return std::make_unique<TorchReplica>(graph, options);
}

}  // namespace sextant::engine
