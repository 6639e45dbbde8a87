// A small real network for federations under test: softmax regression on drawn points of three classes, as a
// replica, so that measured training strategies train it too.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "sextant/federated/federated_data.h"
#include "sextant/measure/replica.h"

namespace sextant::federated::test {

constexpr std::size_t kWidth = 6;
constexpr std::size_t kClasses = 3;

class SoftmaxReplica final : public measure::Replica {
 public:
  [[nodiscard]] const std::vector<measure::TensorPart>& tensors() const override { return parts_; }
  std::span<float> parameters() override { return parameters_; }
  std::span<float> gradients() override { return gradients_; }
  std::span<float> statistics() override { return {}; }

  double forward(const input::Batch& batch) override {
    batch_ = &batch;
    slopes_ = outputs(batch);
    double sum = 0;
    for (std::size_t s = 0; s < batch.labels.size(); ++s) {
      float* row = slopes_.data() + s * kClasses;
      const auto label = static_cast<std::size_t>(batch.labels[s]);
      double total = 0;
      for (std::size_t c = 0; c < kClasses; ++c) total += std::exp(static_cast<double>(row[c]));
      sum += std::log(total) - row[label];
      for (std::size_t c = 0; c < kClasses; ++c)
        row[c] = static_cast<float>(std::exp(static_cast<double>(row[c])) / total);
      row[label] -= 1;
    }
    return sum / static_cast<double>(batch.labels.size());
  }
  void backward(const std::function<void(std::size_t)>& ready) override {
    const auto count = static_cast<float>(batch_->labels.size());
    std::ranges::fill(gradients_, 0.0F);
    for (std::size_t s = 0; s < batch_->labels.size(); ++s) {
      for (std::size_t c = 0; c < kClasses; ++c) {
        const float slope = slopes_[s * kClasses + c] / count;
        gradients_[c] += slope;
        for (std::size_t i = 0; i < kWidth; ++i) {
          gradients_[kClasses + c * kWidth + i] += slope * batch_->values[s * kWidth + i];
        }
      }
    }
    for (std::size_t i = 0; i < parts_.size(); ++i) ready(i);
  }
  measure::TestScore evaluate(const input::Batch& batch) override {
    return {static_cast<std::int64_t>(batch.labels.size()), 0};
  }
  std::vector<float> outputs(const input::Batch& batch) override {
    std::vector<float> scores;
    for (std::size_t s = 0; s < batch.labels.size(); ++s) {
      for (std::size_t c = 0; c < kClasses; ++c) {
        float score = parameters_[c];
        for (std::size_t i = 0; i < kWidth; ++i) {
          score += parameters_[kClasses + c * kWidth + i] * batch.values[s * kWidth + i];
        }
        scores.push_back(score);
      }
    }
    return scores;
  }

 private:
  static constexpr std::size_t kCount = kClasses * (kWidth + 1);
  std::vector<measure::TensorPart> parts_ = {{"bias", 0, kClasses}, {"weight", kClasses, kClasses* kWidth}};
  std::vector<float> parameters_ = std::vector<float>(kCount);
  std::vector<float> gradients_ = std::vector<float>(kCount);
  std::vector<float> slopes_;
  const input::Batch* batch_ = nullptr;
};

// Points around a centre for each class: a line tells most of them apart.
class DrawnPoints final : public input::SampleSet {
 public:
  explicit DrawnPoints(std::int64_t count, std::uint64_t seed = 5) : count_(count), seed_(seed) {}
  [[nodiscard]] std::int64_t size() const override { return count_; }
  [[nodiscard]] std::int64_t classes() const override { return kClasses; }
  [[nodiscard]] input::SampleShape shape() const override {
    return {1, 1, static_cast<std::int64_t>(kWidth)};
  }
  std::int64_t read(std::int64_t index, std::span<float> values) const override {
    Rng rng = Rng(seed_).stream("point", static_cast<std::uint64_t>(index));
    const auto label = static_cast<std::int64_t>(rng.below(kClasses));
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double centre = static_cast<std::int64_t>(i % kClasses) == label ? 1.5 : 0;
      values[i] = static_cast<float>(centre + rng.normal());
    }
    return label;
  }

 private:
  std::int64_t count_;
  std::uint64_t seed_;
};

inline FederatedData drawn_data(const Federation& federation, std::int64_t samples) {
  FederatedData data{.train = std::make_unique<DrawnPoints>(samples), .shares = {}, .classes = kClasses};
  std::vector<std::int64_t> labels;
  std::vector<float> values(kWidth);
  for (std::int64_t i = 0; i < samples; ++i) labels.push_back(data.train->read(i, values));
  data.shares = shares_of(federation, {labels, kClasses});
  return data;
}

inline Samples drawn_test_samples(std::int64_t count) {
  std::vector<std::int64_t> all;
  for (std::int64_t i = 0; i < count; ++i) all.push_back(i);
  return read_samples(DrawnPoints(count, 6), all);
}

}  // namespace sextant::federated::test
