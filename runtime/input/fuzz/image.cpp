// Whatever the bytes, an image is decoded, fits what a network reads, and survives being written; or it is
// refused.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "sextant/core/error.h"
#include "sextant/input/image_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const sextant::input::SampleShape wanted{.channels = 1, .height = 9, .width = 7};
    const sextant::input::PixelImage image = sextant::input::decode_image({data, size}, "fuzz", wanted);
    if (image.pixels.size() != static_cast<std::size_t>(image.shape.values())) std::abort();
    if (!sextant::input::channels_convert(image.shape.channels, wanted.channels)) std::abort();
    std::vector<std::uint8_t> fitted(static_cast<std::size_t>(wanted.values()));
    sextant::input::fit_pixels(image.view(), wanted, fitted);
    if (image.pixels.size() > 10000) return 0;
    const auto again = sextant::input::encode_image(image.view(), sextant::input::ImageFormat::png);
    if (sextant::input::decode_image(again, "fuzz").pixels != image.pixels) std::abort();
  } catch (const sextant::InputError&) {
  }
  return 0;
}
