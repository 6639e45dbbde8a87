#include "sextant/input/pixels.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace sextant::input {
namespace {

std::size_t count_of(const SampleShape& shape) {
  return static_cast<std::size_t>(shape.values());
}

// The largest size with the image's aspect inside the wanted one; never enlarged.
SampleShape inner_shape(const SampleShape& image, const SampleShape& wanted) {
  SampleShape inner = image;
  if (image.height <= wanted.height && image.width <= wanted.width) return inner;
  // height / width against wanted.height / wanted.width, without division
  if (image.height * wanted.width >= wanted.height * image.width) {
    inner.height = wanted.height;
    inner.width = (2 * image.width * wanted.height + image.height) / (2 * image.height);
  } else {
    inner.width = wanted.width;
    inner.height = (2 * image.height * wanted.width + image.width) / (2 * image.width);
  }
  inner.height = std::clamp<std::int64_t>(inner.height, 1, wanted.height);
  inner.width = std::clamp<std::int64_t>(inner.width, 1, wanted.width);
  return inner;
}

// A source position covers [i * to, (i + 1) * to) where a target one covers [j * from, (j + 1) * from): at
// most two targets, since to <= from.
struct Share {
  std::size_t target = 0;
  std::uint32_t first = 0;   // of the source's length `to`, in this target
  std::uint32_t second = 0;  // in the next one
};

std::vector<Share> shares(std::int64_t from, std::int64_t to) {
  std::vector<Share> all(static_cast<std::size_t>(from));
  for (std::int64_t i = 0; i < from; ++i) {
    const std::int64_t target = i * to / from;
    const std::int64_t first = std::min(to, (target + 1) * from - i * to);
    all[static_cast<std::size_t>(i)] = {static_cast<std::size_t>(target), static_cast<std::uint32_t>(first),
                                        static_cast<std::uint32_t>(to - first)};
  }
  return all;
}

// Sums of one source row over the columns of the target, times their widths: at most 255 * kMaxImageSide.
void shrink_row(std::span<const std::uint8_t> row, std::span<const Share> columns, std::size_t channels,
                std::span<std::uint32_t> sums) {
  std::ranges::fill(sums, 0);
  for (std::size_t x = 0; x < columns.size(); ++x) {
    const Share& share = columns[x];
    for (std::size_t c = 0; c < channels; ++c) {
      const std::uint32_t pixel = row[x * channels + c];
      sums[share.target * channels + c] += share.first * pixel;
      if (share.second > 0) sums[(share.target + 1) * channels + c] += share.second * pixel;
    }
  }
}

PixelImage shrink(const PixelView& image, const SampleShape& to) {
  const auto channels = static_cast<std::size_t>(image.shape.channels);
  const auto row_length = static_cast<std::size_t>(to.width) * channels;
  const auto source_row = static_cast<std::size_t>(image.shape.width) * channels;
  const std::vector<Share> columns = shares(image.shape.width, to.width);
  const std::vector<Share> rows = shares(image.shape.height, to.height);
  const auto area = static_cast<std::uint64_t>(image.shape.height * image.shape.width);

  PixelImage out{.shape = to, .pixels = std::vector<std::uint8_t>(count_of(to))};
  std::vector<std::uint32_t> sums(row_length);
  std::vector<std::uint64_t> above(row_length);  // of the target row that is being filled
  std::vector<std::uint64_t> below(row_length);  // of the one after it
  for (std::size_t y = 0; y < rows.size(); ++y) {
    shrink_row(image.pixels.subspan(y * source_row, source_row), columns, channels, sums);
    for (std::size_t i = 0; i < row_length; ++i) {
      above[i] += static_cast<std::uint64_t>(rows[y].first) * sums[i];
      below[i] += static_cast<std::uint64_t>(rows[y].second) * sums[i];
    }
    if (y + 1 < rows.size() && rows[y + 1].target == rows[y].target) continue;
    for (std::size_t i = 0; i < row_length; ++i) {
      out.pixels[rows[y].target * row_length + i] = static_cast<std::uint8_t>((above[i] + area / 2) / area);
    }
    above.swap(below);
    std::ranges::fill(below, 0);
  }
  return out;
}

// Copies pixels of `from` channels to pixels of `to` channels.
void convert_row(std::span<const std::uint8_t> row, std::size_t from, std::size_t to, std::uint8_t* out) {
  if (from == to) {
    std::ranges::copy(row, out);
    return;
  }
  for (std::size_t i = 0; i < row.size(); i += from) {
    // 299 + 587 + 114 = 1000
    const std::uint8_t grey =
        from == 1 ? row[i]
                  : static_cast<std::uint8_t>((299U * row[i] + 587U * row[i + 1] + 114U * row[i + 2] + 500U) /
                                              1000U);
    out = std::fill_n(out, to, grey);
  }
}

void check_sizes(const PixelView& image, std::size_t out, const SampleShape& wanted) {
  if (image.pixels.size() != count_of(image.shape) || out != count_of(wanted)) {
    throw std::logic_error("image and buffer do not have the sizes of their shapes");
  }
}

}  // namespace

bool channels_convert(std::int64_t from, std::int64_t to) {
  return from == to || from == 1 || (from == 3 && to == 1);
}

void fit_pixels(const PixelView& image, const SampleShape& wanted, std::span<std::uint8_t> out) {
  check_sizes(image, out.size(), wanted);
  const SampleShape inner = inner_shape(image.shape, wanted);
  PixelImage smaller;
  PixelView source = image;
  if (inner != image.shape) {
    smaller = shrink(image, inner);
    source = smaller.view();
  }
  const auto from = static_cast<std::size_t>(inner.channels);
  const auto to = static_cast<std::size_t>(wanted.channels);
  const auto top = static_cast<std::size_t>((wanted.height - inner.height) / 2);
  const auto left = static_cast<std::size_t>((wanted.width - inner.width) / 2);
  const auto width = static_cast<std::size_t>(inner.width);
  if (inner.height != wanted.height || inner.width != wanted.width) std::ranges::fill(out, 0);
  for (std::size_t y = 0; y < static_cast<std::size_t>(inner.height); ++y) {
    const std::size_t start = ((top + y) * static_cast<std::size_t>(wanted.width) + left) * to;
    convert_row(source.pixels.subspan(y * width * from, width * from), from, to, &out[start]);
  }
}

PixelValues::PixelValues(const PixelScale& scale) {
  for (std::size_t pixel = 0; pixel < table_.size(); ++pixel) {
    table_[pixel] = static_cast<float>((static_cast<double>(pixel) / 255 - scale.mean) / scale.deviation);
  }
}

void PixelValues::to_planes(const PixelView& image, std::span<float> planes) const {
  check_sizes(image, planes.size(), image.shape);
  const auto channels = static_cast<std::size_t>(image.shape.channels);
  const std::size_t plane = planes.size() / channels;
  for (std::size_t c = 0; c < channels; ++c) {
    float* out = planes.data() + c * plane;
    const std::uint8_t* in = image.pixels.data() + c;
    for (std::size_t i = 0; i < plane; ++i) out[i] = table_[in[i * channels]];
  }
}

void PixelValues::fit_to_planes(const PixelView& image, const SampleShape& wanted,
                                std::span<float> planes) const {
  if (image.shape == wanted) return to_planes(image, planes);
  PixelImage fitted{.shape = wanted, .pixels = std::vector<std::uint8_t>(count_of(wanted))};
  fit_pixels(image, wanted, fitted.pixels);
  to_planes(fitted.view(), planes);
}

void to_pixels(std::span<const float> planes, const PixelScale& scale, const SampleShape& shape,
               std::span<std::uint8_t> pixels) {
  if (planes.size() != count_of(shape) || pixels.size() != planes.size()) {
    throw std::logic_error("values and pixels do not have the size of their shape");
  }
  const auto channels = static_cast<std::size_t>(shape.channels);
  const std::size_t plane = planes.size() / channels;
  for (std::size_t c = 0; c < channels; ++c) {
    for (std::size_t i = 0; i < plane; ++i) {
      const double pixel = (static_cast<double>(planes[c * plane + i]) * scale.deviation + scale.mean) * 255;
      pixels[i * channels + c] = static_cast<std::uint8_t>(std::lround(std::clamp(pixel, 0.0, 255.0)));
    }
  }
}

}  // namespace sextant::input
