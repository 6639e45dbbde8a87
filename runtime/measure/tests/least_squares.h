// A small real model for strategies under test: y = a·x + b·x^2 + c with known gradient of the mean squared
// error, its parameters cut into tensors of different sizes (one of them empty), and data drawn from a seed.
#pragma once

#include <functional>
#include <numeric>
#include <vector>

#include "sextant/core/rng.h"
#include "sextant/measure/replica.h"

namespace sextant::measure {

constexpr std::size_t kFeatures = 40;
constexpr std::size_t kLeastSquaresParameters = 2 * kFeatures + 1;

class LeastSquares final : public Replica {
 public:
  explicit LeastSquares(
      std::uint64_t seed, std::function<void()> work = [] {})
      : work_(std::move(work)) {
    std::int64_t offset = 0;
    for (const std::int64_t count : {1, 0, 7, 30, 3, 40}) {
      parts_.push_back({"t" + std::to_string(parts_.size()), offset, count});
      offset += count;
    }
    Rng rng = Rng(seed).stream("least squares");
    for (float& value : parameters_) value = static_cast<float>(rng.normal()) * 0.1F;
  }
  [[nodiscard]] const std::vector<TensorPart>& tensors() const override { return parts_; }
  std::span<float> parameters() override { return parameters_; }
  std::span<float> gradients() override { return gradients_; }
  std::span<float> statistics() override { return statistics_; }

  double forward(const input::Batch& batch) override {
    work_();
    batch_ = &batch;
    residuals_.clear();
    double sum = 0;
    for (std::size_t s = 0; s < batch.labels.size(); ++s) {
      double y = parameters_[0];
      for (std::size_t i = 0; i < kFeatures; ++i) {
        const double x = batch.values[s * kFeatures + i];
        y += parameters_[1 + i] * x + parameters_[1 + kFeatures + i] * x * x;
      }
      residuals_.push_back(y - static_cast<double>(batch.labels[s]));
      sum += residuals_.back() * residuals_.back();
    }
    statistics_[0] += 1;
    return sum / static_cast<double>(batch.labels.size());
  }

  void backward(const std::function<void(std::size_t)>& ready) override {
    std::vector<double> sums(kLeastSquaresParameters);
    for (std::size_t s = 0; s < residuals_.size(); ++s) {
      const double factor = 2 * residuals_[s] / static_cast<double>(residuals_.size());
      sums[0] += factor;
      for (std::size_t i = 0; i < kFeatures; ++i) {
        const double x = batch_->values[s * kFeatures + i];
        sums[1 + i] += factor * x;
        sums[1 + kFeatures + i] += factor * x * x;
      }
    }
    for (std::size_t t = 0; t < parts_.size(); ++t) {
      for (std::int64_t i = 0; i < parts_[t].count; ++i) {
        const auto at = static_cast<std::size_t>(parts_[t].offset + i);
        gradients_[at] = static_cast<float>(sums[at]);
      }
      ready(t);
    }
  }
  TestScore evaluate(const input::Batch& batch) override {
    return {static_cast<std::int64_t>(batch.labels.size()), 0};
  }
  std::vector<float> outputs(const input::Batch& batch) override {
    forward(batch);
    std::vector<float> values;
    for (std::size_t s = 0; s < batch.labels.size(); ++s) {
      values.push_back(static_cast<float>(residuals_[s] + static_cast<double>(batch.labels[s])));
    }
    return values;
  }

 private:
  std::function<void()> work_;
  std::vector<TensorPart> parts_;
  std::vector<float> parameters_ = std::vector<float>(kLeastSquaresParameters);
  std::vector<float> gradients_ = std::vector<float>(kLeastSquaresParameters);
  std::vector<float> statistics_ = {0};
  const input::Batch* batch_ = nullptr;
  std::vector<double> residuals_;
};

// Samples [first, first + count) of global batch `index`.
inline input::Batch drawn_samples(std::int64_t index, std::size_t first, std::size_t count) {
  input::Batch batch;
  for (std::size_t s = first; s < first + count; ++s) {
    Rng rng = Rng(7).stream("sample", static_cast<std::uint64_t>(index) * 1000 + s);
    for (std::size_t i = 0; i < kFeatures; ++i) batch.values.push_back(static_cast<float>(rng.normal()));
    batch.labels.push_back(static_cast<std::int64_t>(rng.below(5)));
  }
  return batch;
}

}  // namespace sextant::measure
