// Images as bytes, and how one of any size becomes what a network reads: scaled down to fit inside by area
// averaging (aspect kept, integer arithmetic, so that every machine gives the same bytes), centred, and
// padded with black. Grey is repeated over channels; colour becomes grey by the weights of ITU-R BT.601.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "sextant/input/sample_set.h"

namespace sextant::input {

// No image may have more, so that a few bytes cannot ask for gigabytes.
constexpr std::int64_t kMaxImageSide = 65535;
constexpr std::int64_t kMaxImagePixels = 1 << 25;

// Rows from the top; channels of a pixel side by side.
struct PixelView {
  SampleShape shape;
  std::span<const std::uint8_t> pixels;
};
struct PixelImage {
  SampleShape shape;
  std::vector<std::uint8_t> pixels;
  [[nodiscard]] PixelView view() const { return {shape, pixels}; }
};

// From one channel to any number, from three to one, and between equal numbers.
bool channels_convert(std::int64_t from, std::int64_t to);

// Writes wanted.values() pixels; channels must convert.
void fit_pixels(const PixelView& image, const SampleShape& wanted, std::span<std::uint8_t> out);

// The value of each of the 256 pixels, and the change from pixels side by side to planes of values.
class PixelValues {
 public:
  explicit PixelValues(const PixelScale& scale);
  void to_planes(const PixelView& image, std::span<float> planes) const;
  // fit_pixels and to_planes in one; no copy where the shape is the wanted one.
  void fit_to_planes(const PixelView& image, const SampleShape& wanted, std::span<float> planes) const;

 private:
  std::array<float, 256> table_{};
};

// Planes of values to pixels side by side, rounded and clipped: the inverse of PixelValues.
void to_pixels(std::span<const float> planes, const PixelScale& scale, const SampleShape& shape,
               std::span<std::uint8_t> pixels);

}  // namespace sextant::input
