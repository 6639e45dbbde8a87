#include "sextant/federated/local_model.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "sextant/federated/sampler.h"

namespace sextant::federated {

Samples read_samples(const input::SampleSet& set, std::span<const std::int64_t> which) {
  Samples samples{.width = set.shape().values()};
  const auto width = static_cast<std::size_t>(samples.width);
  samples.values.resize(which.size() * width);
  for (std::size_t i = 0; i < which.size(); ++i) {
    samples.labels.push_back(set.read(which[i], std::span(samples.values).subspan(i * width, width)));
  }
  return samples;
}

std::span<const std::int64_t> BatchOrder::next() {
  const std::int64_t place = step_ % per_epoch();
  if (place == 0) {
    order_.resize(static_cast<std::size_t>(samples_));
    std::iota(order_.begin(), order_.end(), 0);
    Rng rng = rng_.stream("epoch", static_cast<std::uint64_t>(step_ / per_epoch()));
    shuffle(order_, rng);
  }
  rows_.resize(static_cast<std::size_t>(batch_));
  for (std::int64_t i = 0; i < batch_; ++i) {
    rows_[static_cast<std::size_t>(i)] = order_[static_cast<std::size_t>((place * batch_ + i) % samples_)];
  }
  ++step_;
  return rows_;
}

std::int64_t local_steps(std::int64_t samples, std::int64_t batch, double epochs) {
  const std::int64_t per_epoch = (samples + batch - 1) / batch;
  return std::max<std::int64_t>(1, std::llround(epochs * static_cast<double>(per_epoch)));
}

std::int64_t Evaluation::samples() const {
  return std::accumulate(confusion.begin(), confusion.end(), std::int64_t{0});
}

double Evaluation::accuracy() const {
  std::int64_t right = 0;
  for (std::int64_t c = 0; c < classes; ++c) right += confusion[static_cast<std::size_t>(c * classes + c)];
  const std::int64_t all = samples();
  return all == 0 ? 0 : static_cast<double>(right) / static_cast<double>(all);
}

std::vector<double> Evaluation::recall() const {
  std::vector<double> shares;
  for (std::int64_t c = 0; c < classes; ++c) {
    const auto row = confusion.begin() + c * classes;
    const std::int64_t all = std::accumulate(row, row + classes, std::int64_t{0});
    shares.push_back(all == 0 ? 1 : static_cast<double>(row[c]) / static_cast<double>(all));
  }
  return shares;
}

Evaluation evaluate(LocalModel& model, const Samples& samples, std::int64_t classes) {
  const std::vector<float> scores = model.scores(samples);
  const auto width = static_cast<std::size_t>(classes);
  if (scores.size() != samples.labels.size() * width)
    throw std::logic_error("scores of another number of classes");
  Evaluation result{.confusion = std::vector<std::int64_t>(width * width), .classes = classes};
  double sum = 0;
  for (std::size_t i = 0; i < samples.labels.size(); ++i) {
    const std::span<const float> row = std::span(scores).subspan(i * width, width);
    const auto truth = static_cast<std::size_t>(samples.labels[i]);
    const auto best = std::ranges::max_element(row);
    ++result.confusion.at(truth * width + static_cast<std::size_t>(best - row.begin()));
    double total = 0;
    for (const float score : row) total += std::exp(static_cast<double>(score) - *best);
    sum += std::log(total) + *best - row[truth];
  }
  result.loss = sum / static_cast<double>(std::max<std::size_t>(samples.labels.size(), 1));
  return result;
}

}  // namespace sextant::federated
