#include "sextant/input/image_file.h"

#include <algorithm>
#include <array>

#include "image_codecs.h"

namespace sextant::input {

const char* image_ending(ImageFormat format) {
  switch (format) {
    case ImageFormat::jpeg:
      return ".jpg";
    case ImageFormat::png:
      return ".png";
    case ImageFormat::ppm:
      return ".ppm";
  }
  return "";
}

void refuse_image(const std::string& file, const std::string& what) {
  throw InputError(SourcePos{.file = file}, what);
}

void check_image_size(std::int64_t height, std::int64_t width, const std::string& file) {
  const bool sides = height >= 1 && width >= 1 && height <= kMaxImageSide && width <= kMaxImageSide;
  if (sides && height * width <= kMaxImagePixels) return;
  refuse_image(file, "an image of " + std::to_string(width) + " x " + std::to_string(height) +
                         " pixels; at most 2^25, and 65535 a side, are read");
}

PixelImage decode_image(std::span<const std::uint8_t> bytes, const std::string& file,
                        const SampleShape& goal) {
  const auto starts = [&](auto... magic) {
    const std::array<std::uint8_t, sizeof...(magic)> wanted{static_cast<std::uint8_t>(magic)...};
    return bytes.size() >= wanted.size() && std::ranges::equal(bytes.first(wanted.size()), wanted);
  };
  if (starts(0xff, 0xd8, 0xff)) return decode_jpeg(bytes, file, goal);
  if (starts(0x89, 'P', 'N', 'G')) return decode_png(bytes, file);
  if (starts('P', '5') || starts('P', '6')) return decode_ppm(bytes, file);
  throw InputError(SourcePos{.file = file},
                   bytes.empty() ? "the file is empty" : "this is no image that can be read",
                   "JPEG, PNG, and binary PPM and PGM");
}

std::vector<std::uint8_t> encode_image(const PixelView& image, ImageFormat format) {
  if (image.shape.channels != 1 && image.shape.channels != 3) {
    throw InputError("an image of " + std::to_string(image.shape.channels) +
                     " channels cannot be written; images have one or three");
  }
  check_image_size(image.shape.height, image.shape.width, "image");
  if (image.pixels.size() != static_cast<std::size_t>(image.shape.values())) {
    throw std::logic_error("pixels do not have the size of their shape");
  }
  if (format == ImageFormat::jpeg) return encode_jpeg(image);
  if (format == ImageFormat::png) return encode_png(image);
  return encode_ppm(image);
}

}  // namespace sextant::input
