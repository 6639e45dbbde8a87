// PNG through libpng's simplified interface, which needs no jumps: 16 bits become 8, palettes colours, and
// what is transparent shows black.
#include <png.h>

#include <algorithm>

#include "image_codecs.h"

namespace sextant::input {
namespace {

struct Png {
  png_image image{};
  Png() { image.version = PNG_IMAGE_VERSION; }
  ~Png() { png_image_free(&image); }
  Png(const Png&) = delete;
  Png& operator=(const Png&) = delete;
  [[nodiscard]] std::string message() const { return std::string("damaged PNG: ") + image.message; }
};

// Deflate makes at most 1032 bytes of one, and a byte holds at most eight pixels.
bool plausible(std::int64_t pixels, std::size_t bytes) {
  return pixels <= 8 * 1032 * static_cast<std::int64_t>(bytes);
}

}  // namespace

PixelImage decode_png(ImageBytes bytes, const std::string& file) {
  Png png;
  if (png_image_begin_read_from_memory(&png.image, bytes.data(), bytes.size()) == 0) {
    refuse_image(file, png.message());
  }
  check_image_size(png.image.height, png.image.width, file);
  PixelImage image;
  const bool colour = (png.image.format & PNG_FORMAT_FLAG_COLOR) != 0;
  png.image.format = colour ? PNG_FORMAT_RGB : PNG_FORMAT_GRAY;
  image.shape = {.channels = colour ? 3 : 1, .height = png.image.height, .width = png.image.width};
  if (!plausible(image.shape.height * image.shape.width, bytes.size())) {
    refuse_image(file, "damaged PNG: too few bytes for its size");
  }
  image.pixels.resize(static_cast<std::size_t>(image.shape.values()));
  const png_color black{};
  if (png_image_finish_read(&png.image, &black, image.pixels.data(), 0, nullptr) == 0) {
    refuse_image(file, png.message());
  }
  return image;
}

std::vector<std::uint8_t> encode_png(const PixelView& image) {
  Png png;
  png.image.width = static_cast<png_uint_32>(image.shape.width);
  png.image.height = static_cast<png_uint_32>(image.shape.height);
  png.image.format = image.shape.channels == 1 ? PNG_FORMAT_GRAY : PNG_FORMAT_RGB;
  std::vector<std::uint8_t> bytes(PNG_IMAGE_PNG_SIZE_MAX(png.image));
  png_alloc_size_t size = bytes.size();
  if (png_image_write_to_memory(&png.image, bytes.data(), &size, 0, image.pixels.data(), 0, nullptr) == 0) {
    throw SystemError(std::string("an image cannot be written as PNG: ") + png.image.message);
  }
  bytes.resize(size);
  return bytes;
}

}  // namespace sextant::input
