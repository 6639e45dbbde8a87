#include "sextant/nets/random_network.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "random_blocks.h"

namespace sextant::nets {
namespace {

constexpr std::string_view kPrefix = "random/";
constexpr std::int64_t kSmallestImage = 16;

class RandomNetwork {
 public:
  RandomNetwork(const std::string& name, std::uint64_t number)
      : rng_(Rng(number).stream("random-network")), blocks_(name, rng_) {}

  Graph build(const Sizes& sizes) {
    Tensor x = stem(blocks_.graph().image(sizes.batch, 3, sizes.image, sizes.image));
    const double growth = rng_.between(1.25, 2.1);
    for (int stage = 1; blocks_.side(x) > 3; ++stage) {
      blocks_.graph().scope("stage" + std::to_string(stage) + ".");
      x = narrow(blocks_.stage(x, rng_.whole(1, 2)), growth);
    }
    blocks_.graph().scope("head.");
    return blocks_.graph().finish(head(blocks_.block(x), sizes.classes));
  }

 private:
  // Wide windows and strides stand at the front only.
  Tensor stem(Tensor x) {
    static constexpr std::array<std::int64_t, 6> kKernels = {3, 3, 3, 5, 7, 11};
    const std::int64_t kernel = std::min(rng_.pick(kKernels), blocks_.side(x) / 2);
    const bool large = blocks_.side(x) >= 96;
    const std::int64_t stride = large ? (kernel > 7 ? 4 : rng_.whole(1, 4) > 1 ? 2 : 1) : rng_.whole(1, 2);
    const std::int64_t padding = rng_.chance(0.8) ? kernel / 2 : 0;
    x = blocks_.normalised(x, rng_.channels(12, 100), square(kernel),
                           {.stride = square(stride), .padding = pad_all(padding)});
    if (blocks_.side(x) > 56 && rng_.chance(0.6)) x = blocks_.pool(x);
    return blocks_.limited(x);
  }

  // To half the size, with more channels.
  Tensor narrow(Tensor x, double growth) {
    const std::int64_t wide = std::clamp<std::int64_t>(
        rng_.rounded(growth * static_cast<double>(blocks_.graph().channels(x))), 16, 1280);
    switch (rng_.whole(0, 3)) {
      case 0:
        return blocks_.pool(x);
      case 1:
        return blocks_.transition(x, wide);
      case 2:
        return blocks_.normalised(x, wide, square(3), {.stride = square(2), .padding = pad_all(1)});
      default:
        return blocks_.separable(x, wide, 2);
    }
  }

  Tensor head(Tensor x, std::int64_t classes) {
    ImageNetBuilder& g = blocks_.graph();
    if (rng_.chance(0.6)) {
      if (rng_.chance(0.5)) x = blocks_.normalised(x, rng_.channels(256, 1600), square(1), {});
      return g.linear(g.pool_to_vector(x), classes);
    }
    x = g.flatten(g.adaptive_pool(x, square(rng_.whole(1, 6))));
    const auto layers = rng_.whole(1, 2);
    for (std::int64_t i = 0; i < layers; ++i) {
      if (rng_.chance(0.5)) x = g.dropout(x, 0.5);
      x = g.relu(g.linear(x, rng_.channels(256, 4096)));
    }
    return g.linear(x, classes);
  }

  Draws rng_;
  RandomBlocks blocks_;
};

std::int64_t default_image(std::uint64_t number) {
  static constexpr std::array<std::int64_t, 14> kSides = {28,  32,  40,  48,  64,  80,  96,
                                                          112, 128, 144, 160, 192, 224, 256};
  return kSides.at(Rng(number).stream("random-image").below(kSides.size()));
}

}  // namespace

Network random_network(std::uint64_t number) {
  const std::string id = std::string(kPrefix) + std::to_string(number);
  return {.id = id,
          .summary = "blocks of the literature in a random order",
          .reference = "facts/nets/src/random_network.cpp",
          .defaults = {.image = default_image(number), .smallest_image = kSmallestImage},
          .build = [id, number](const Sizes& sizes) { return RandomNetwork(id, number).build(sizes); }};
}

std::optional<std::uint64_t> random_network_number(const std::string& name) {
  if (!name.starts_with(kPrefix)) return std::nullopt;
  const std::string_view digits = std::string_view(name).substr(kPrefix.size());
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(digits.begin(), digits.end(), number);
  if (error != std::errc{} || end != digits.end() || digits.empty()) return std::nullopt;
  return number;
}

}  // namespace sextant::nets
