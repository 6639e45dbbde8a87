// Families of drawn networks (drawn_network.h), and what they share: draws, and the sizes of a step that ends
// soon.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <initializer_list>

#include "sextant/core/rng.h"
#include "sextant/nets/builder.h"
#include "sextant/nets/network.h"

namespace sextant::measure {

class LayerDraws {
 public:
  explicit LayerDraws(Rng rng) : rng_(rng) {}

  std::int64_t whole(std::int64_t low, std::int64_t high) {  // both included
    return low + static_cast<std::int64_t>(rng_.below(static_cast<std::uint64_t>(high - low + 1)));
  }
  bool chance(double p) { return rng_.uniform() < p; }
  template <class T>
  T pick(std::initializer_list<T> values) {
    return values.begin()[rng_.below(values.size())];
  }
  // Log-uniform.
  double about(double low, double high) { return low * std::pow(high / low, rng_.uniform()); }
  // The same in multiples of 8, as designers have it; now and then of 2.
  std::int64_t width(double low, double high) {
    const std::int64_t unit = chance(0.85) ? 8 : 2;
    const auto units = std::lround(about(low, std::max(low, high)) / static_cast<double>(unit));
    return unit * std::max<std::int64_t>(1, units);
  }

 private:
  Rng rng_;
};

struct LayerFamily {
  const char* summary = "";
  nets::InputKind input = nets::InputKind::tokens;
  nets::Graph (*build)(const std::string& name, LayerDraws draws, std::int64_t batch) = nullptr;
};

nets::Graph drawn_encoder(const std::string& name, LayerDraws draws, std::int64_t batch);
nets::Graph drawn_decoder(const std::string& name, LayerDraws draws, std::int64_t batch);
nets::Graph drawn_fused_decoder(const std::string& name, LayerDraws draws, std::int64_t batch);
nets::Graph drawn_recurrence(const std::string& name, LayerDraws draws, std::int64_t batch);
nets::Graph drawn_windows(const std::string& name, LayerDraws draws, std::int64_t batch);
nets::Graph drawn_sequence_maps(const std::string& name, LayerDraws draws, std::int64_t batch);
nets::Graph drawn_image_maps(const std::string& name, LayerDraws draws, std::int64_t batch);
nets::Graph drawn_volume_maps(const std::string& name, LayerDraws draws, std::int64_t batch);
nets::Graph drawn_elements(const std::string& name, LayerDraws draws, std::int64_t batch);

}  // namespace sextant::measure
