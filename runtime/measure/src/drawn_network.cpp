#include "sextant/measure/drawn_network.h"

#include <array>
#include <charconv>
#include <optional>
#include <string_view>

#include "drawn_layers.h"

namespace sextant::measure {
namespace {

constexpr std::string_view kDrawnPrefix = "drawn/";

// Neighbours differ, so that a short calibration sees a bit of everything.
constexpr std::array<LayerFamily, kDrawnFamilies> kFamilies = {{
    {"attention over all positions", nets::InputKind::tokens, drawn_encoder},
    {"maps of images that shrink and grow again", nets::InputKind::image, drawn_image_maps},
    {"recurrent layers", nets::InputKind::tokens, drawn_recurrence},
    {"maps of volumes", nets::InputKind::tokens, drawn_volume_maps},
    {"channels last, attention in windows", nets::InputKind::image, drawn_windows},
    {"functions, arithmetic and reductions", nets::InputKind::tokens, drawn_elements},
    {"causal attention with rotated positions", nets::InputKind::tokens, drawn_decoder},
    {"maps of sequences", nets::InputKind::tokens, drawn_sequence_maps},
    {"attention in one kernel, experts, the delta rule", nets::InputKind::tokens, drawn_fused_decoder},
}};

std::optional<std::uint64_t> drawn_number(const std::string& name) {
  if (!name.starts_with(kDrawnPrefix)) return std::nullopt;
  const std::string_view digits = std::string_view(name).substr(kDrawnPrefix.size());
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(digits.begin(), digits.end(), number);
  if (error != std::errc{} || end != digits.end() || digits.empty()) return std::nullopt;
  return number;
}

}  // namespace

nets::Network drawn_network(std::uint64_t number) {
  const std::string id = std::string(kDrawnPrefix) + std::to_string(number);
  const LayerFamily& family = kFamilies.at(number % kFamilies.size());
  // Extents are drawn; what a caller binds is the batch alone. Labels of images suit the narrowest head.
  const nets::Defaults defaults{.image = 1, .seq = 1, .classes = 2};
  return {.id = id,
          .summary = family.summary,
          .reference = "runtime/measure/src/drawn_network.cpp",
          .input = family.input,
          .defaults = defaults,
          .build = [id, number, &family](const nets::Sizes& sizes) {
            return family.build(id, LayerDraws(Rng(number).stream("drawn-network")), sizes.batch);
          }};
}

nets::Network trial_network(const std::string& name) {
  const std::optional<std::uint64_t> number = drawn_number(name);
  return number ? drawn_network(*number) : nets::find_network(name);
}

}  // namespace sextant::measure
