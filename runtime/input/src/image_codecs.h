// One codec for each format; image_file.cpp chooses.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sextant/input/pixels.h"

namespace sextant::input {

using ImageBytes = std::span<const std::uint8_t>;

// What went wrong is thrown as InputError with a position in `file`.
PixelImage decode_jpeg(ImageBytes bytes, const std::string& file, const SampleShape& goal);
PixelImage decode_png(ImageBytes bytes, const std::string& file);
PixelImage decode_ppm(ImageBytes bytes, const std::string& file);
std::vector<std::uint8_t> encode_jpeg(const PixelView& image);
std::vector<std::uint8_t> encode_png(const PixelView& image);
std::vector<std::uint8_t> encode_ppm(const PixelView& image);

[[noreturn]] void refuse_image(const std::string& file, const std::string& what);
// Refuses sizes that no image may have.
void check_image_size(std::int64_t height, std::int64_t width, const std::string& file);

}  // namespace sextant::input
