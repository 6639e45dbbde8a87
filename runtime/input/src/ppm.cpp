// Binary PPM (P6) and PGM (P5) of Netpbm: width, height and largest value in decimal, then rows of one or two
// bytes for each colour. What stands after a '#' in the header is a comment.
#include <algorithm>

#include "image_codecs.h"

namespace sextant::input {
namespace {

class PpmHeader {
 public:
  PpmHeader(ImageBytes bytes, const std::string& file) : bytes_(bytes), file_(file) {}

  std::int64_t number(const char* what) {
    skip_blanks();
    std::int64_t value = 0;
    const std::size_t start = at_;
    for (; at_ < bytes_.size() && bytes_[at_] >= '0' && bytes_[at_] <= '9'; ++at_) {
      value = std::min<std::int64_t>(10 * value + (bytes_[at_] - '0'), kMaxImagePixels + 1);
    }
    if (at_ == start) refuse_image(file_, std::string("damaged PPM: no ") + what);
    return value;
  }

  // Behind the one blank that ends the header.
  ImageBytes rest() {
    if (at_ >= bytes_.size() || !is_blank(bytes_[at_]))
      refuse_image(file_, "damaged PPM: the file ends early");
    return bytes_.subspan(at_ + 1);
  }

 private:
  static bool is_blank(std::uint8_t c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
  void skip_blanks() {
    while (at_ < bytes_.size() && (is_blank(bytes_[at_]) || bytes_[at_] == '#')) {
      if (bytes_[at_] == '#') {
        while (at_ < bytes_.size() && bytes_[at_] != '\n') ++at_;
      } else {
        ++at_;
      }
    }
  }

  ImageBytes bytes_;
  const std::string& file_;
  std::size_t at_ = 2;  // behind the magic
};

}  // namespace

PixelImage decode_ppm(ImageBytes bytes, const std::string& file) {
  PpmHeader header(bytes, file);
  PixelImage image;
  image.shape.channels = bytes[1] == '6' ? 3 : 1;
  image.shape.width = header.number("width");
  image.shape.height = header.number("height");
  check_image_size(image.shape.height, image.shape.width, file);
  const std::int64_t largest = header.number("largest value");
  if (largest < 1 || largest > 65535)
    refuse_image(file, "damaged PPM: the largest value is not in 1 to 65535");
  const ImageBytes rows = header.rest();
  const auto count = static_cast<std::size_t>(image.shape.values());
  const std::size_t each = largest > 255 ? 2 : 1;
  if (rows.size() < count * each) refuse_image(file, "damaged PPM: the file ends early");
  image.pixels.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::int64_t value = each == 1 ? rows[i] : 256 * rows[2 * i] + rows[2 * i + 1];
    image.pixels[i] = static_cast<std::uint8_t>((255 * std::min(value, largest) + largest / 2) / largest);
  }
  return image;
}

std::vector<std::uint8_t> encode_ppm(const PixelView& image) {
  const std::string header = std::string(image.shape.channels == 1 ? "P5" : "P6") + "\n" +
                             std::to_string(image.shape.width) + " " + std::to_string(image.shape.height) +
                             "\n255\n";
  std::vector<std::uint8_t> bytes(header.begin(), header.end());
  bytes.insert(bytes.end(), image.pixels.begin(), image.pixels.end());
  return bytes;
}

}  // namespace sextant::input
