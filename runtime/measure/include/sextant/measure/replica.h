// A copy of the model on one device, as strategies see it: flat arrays of parameters and gradients, and a
// backward pass that tells when a part of the gradients is final. The libtorch executor implements it
// (engine); strategies and parameter servers know no more than this.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sextant/input/batches.h"
#include "sextant/measure/trial.h"

namespace sextant::measure {

// A trainable tensor as a part of the flat arrays.
struct TensorPart {
  std::string name;
  std::int64_t offset = 0;
  std::int64_t count = 0;
};

struct TestScore {
  std::int64_t samples = 0;
  std::int64_t correct = 0;
};

class Replica {
 public:
  virtual ~Replica() = default;

  // Last layers first, because their gradients are ready first; parts lie one behind the other without gaps.
  [[nodiscard]] virtual const std::vector<TensorPart>& tensors() const = 0;
  virtual std::span<float> parameters() = 0;
  virtual std::span<float> gradients() = 0;
  // Values that no gradient changes but the forward pass does: moving statistics of batch norm.
  virtual std::span<float> statistics() = 0;

  // Mean loss over the batch, whose memory may be read until the backward pass is over. backward() belongs to
  // the forward() before it and overwrites the gradients with those of the mean loss; `ready` is called, on
  // the calling thread, when the gradient of tensors()[i] is final.
  virtual double forward(const input::Batch& batch) = 0;
  virtual void backward(const std::function<void(std::size_t tensor)>& ready) = 0;
  // The same where nobody sends gradients: they stay where the backward pass made them, which saves a copy.
  // Each is read by apart(), until the next forward(); what gradients() holds is not said.
  virtual void backward_apart() {
    backward([](std::size_t) {});
  }
  virtual std::span<const float> apart(std::size_t tensor) {
    const TensorPart& part = tensors()[tensor];
    return gradients().subspan(static_cast<std::size_t>(part.offset), static_cast<std::size_t>(part.count));
  }
  // Without gradients, with moving statistics.
  virtual TestScore evaluate(const input::Batch& batch) = 0;
  // The same pass: values of the first output, sample after sample.
  virtual std::vector<float> outputs(const input::Batch& batch) = 0;
};

// Of the worker of this number. Parameters are drawn from the trial's seed, the same on every rank and every
// machine; what is drawn while training (masks of dropout) is each worker's own.
using ReplicaFactory = std::function<std::unique_ptr<Replica>(std::int64_t worker)>;

}  // namespace sextant::measure
