// Samples made up from the seed and their number: a coarse pattern of their class and noise over it, so that
// a network can learn them and a run needs no files.
#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "sample_sources.h"
#include "sextant/core/plugin_text.h"
#include "sextant/core/rng.h"

namespace sextant::input {
namespace {

constexpr std::int64_t kGrid = 4;        // cells of a pattern, each way
constexpr float kPattern = 0.6F;         // 0.6^2 + 0.8^2 = 1: values have deviation 1
constexpr float kNoise = 0.8F;           //
constexpr std::int64_t kTestShare = 10;  // one test sample for ten to train with
constexpr double kMostSamples = 1e8;     // the order of an epoch is kept, four bytes each

const PluginInfo& plugin() {
  static const PluginInfo info{
      .id = "synthetic",
      .summary = "made-up samples that can be learnt",
      .reference = "",
      .parameters = {count_parameter("samples", "to train with", {10000, 1, kMostSamples})}};
  return info;
}

// The sum of four random bytes about its mean 510, by its deviation sqrt(4 (256^2 - 1) / 12): near enough to
// a normal draw, and ten times as fast, so that making samples does not become what is measured.
struct NoiseTable {
  std::array<float, 1021> values{};
  NoiseTable() {
    const double deviation = std::sqrt(4 * (256.0 * 256.0 - 1) / 12);
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] = kNoise * static_cast<float>((static_cast<double>(i) - 510) / deviation);
    }
  }
};

std::size_t byte_sum(std::uint64_t word) {  // of its low four bytes
  const std::uint64_t pairs = (word & 0x00ff00ffU) + ((word >> 8U) & 0x00ff00ffU);
  return static_cast<std::size_t>((pairs & 0xffffU) + ((pairs >> 16U) & 0xffffU));
}

class Synthetic final : public SampleSet {
 public:
  Synthetic(const SampleSetRequest& request, std::int64_t samples)
      : samples_(samples),
        classes_(request.classes),
        shape_(request.shape),
        draws_(
            Rng(request.seed).stream(request.split == Split::train ? "synthetic train" : "synthetic test")),
        patterns_(Rng(request.seed).stream("synthetic classes")) {
    column_.reserve(static_cast<std::size_t>(shape_.width));
    for (std::int64_t x = 0; x < shape_.width; ++x) {
      column_.push_back(static_cast<std::size_t>(x * kGrid / shape_.width));
    }
  }

  [[nodiscard]] std::int64_t size() const override { return samples_; }
  [[nodiscard]] std::int64_t classes() const override { return classes_; }
  [[nodiscard]] SampleShape shape() const override { return shape_; }
  // Mean 0 and deviation 1, so that four deviations fit into a byte.
  [[nodiscard]] PixelScale scale() const override { return {.mean = 0.5, .deviation = 0.125}; }

  std::int64_t read(std::int64_t index, std::span<float> values) const override {
    const std::int64_t label = index % classes_;  // classes are as even as can be
    Rng pattern = patterns_.stream("class", static_cast<std::uint64_t>(label));
    Rng noise = draws_.stream("sample", static_cast<std::uint64_t>(index));
    float* out = values.data();
    std::array<float, kGrid * kGrid> cells{};
    for (std::int64_t channel = 0; channel < shape_.channels; ++channel) {
      for (float& cell : cells) cell = kPattern * static_cast<float>(pattern.normal());
      for (std::int64_t y = 0; y < shape_.height; ++y) {
        write_row(&cells[static_cast<std::size_t>(y * kGrid / shape_.height * kGrid)], noise, out);
        out += shape_.width;
      }
    }
    return label;
  }

 private:
  void write_row(const float* cells, Rng& noise, float* out) const {
    const std::size_t width = column_.size();
    for (std::size_t x = 0; x < width; x += 2) {  // two values from one draw
      const std::uint64_t word = noise.bits();
      out[x] = cells[column_[x]] + noise_.values[byte_sum(word)];
      if (x + 1 < width) out[x + 1] = cells[column_[x + 1]] + noise_.values[byte_sum(word >> 32U)];
    }
  }

  std::int64_t samples_;
  std::int64_t classes_;
  SampleShape shape_;
  Rng draws_;
  Rng patterns_;
  std::vector<std::size_t> column_;  // of the grid, for each x
  NoiseTable noise_;
};

}  // namespace

OpenedSamples open_synthetic(const SampleSetRequest& request, const SourcePos& at) {
  const std::int64_t samples =
      parameters_of(plugin(), split_plugin_text(request.name, at), at).count("samples");
  const bool train = request.split == Split::train;
  return std::make_unique<Synthetic>(request, train ? samples : (samples + kTestShare - 1) / kTestShare);
}

}  // namespace sextant::input
