// Sizes and channels: worked examples, and laws over random images.
#include "sextant/input/pixels.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "sextant/core/rng.h"

namespace sextant::input {
namespace {

using testing::Each;
using testing::ElementsAre;

std::vector<std::uint8_t> fitted(const PixelImage& image, const SampleShape& wanted) {
  std::vector<std::uint8_t> out(static_cast<std::size_t>(wanted.values()), 77);
  fit_pixels(image.view(), wanted, out);
  return out;
}

PixelImage random_image(Rng& rng, const SampleShape& shape) {
  PixelImage image{.shape = shape, .pixels = {}};
  for (std::int64_t i = 0; i < shape.values(); ++i)
    image.pixels.push_back(static_cast<std::uint8_t>(rng.below(256)));
  return image;
}

SampleShape random_shape(Rng& rng, std::uint64_t largest) {
  SampleShape shape;
  shape.channels = rng.below(2) == 0 ? 1 : 3;
  shape.height = static_cast<std::int64_t>(1 + rng.below(largest));
  shape.width = static_cast<std::int64_t>(1 + rng.below(largest));
  return shape;
}

TEST(Pixels, SmallImagesAreCentredOnBlack) {
  const PixelImage image{.shape = {1, 1, 2}, .pixels = {10, 20}};
  EXPECT_THAT(fitted(image, {1, 3, 3}), ElementsAre(0, 0, 0, 10, 20, 0, 0, 0, 0));
}

TEST(Pixels, LargeImagesAreAveragedOverAreas) {
  // 2 x 2 to 1 x 1: (1 + 2 + 3 + 6) / 4 = 3.
  EXPECT_THAT(fitted({.shape = {1, 2, 2}, .pixels = {1, 2, 3, 6}}, {1, 1, 1}), ElementsAre(3));
  // Three to two: 10 + 20/2 over 1.5 = 13.33, and 20/2 + 60 over 1.5 = 46.67; padded below, since 2 x 3 is
  // wide and fits in 2 x 2 as one row: 2 * 2 / 3 rounds to 1.
  EXPECT_THAT(fitted({.shape = {1, 2, 3}, .pixels = {10, 20, 60, 10, 20, 60}}, {1, 2, 2}),
              ElementsAre(13, 47, 0, 0));
}

TEST(Pixels, AspectIsKeptAndTheRestIsBlack) {
  const PixelImage wide{.shape = {1, 4, 8}, .pixels = std::vector<std::uint8_t>(32, 200)};
  EXPECT_THAT(fitted(wide, {1, 4, 4}),
              ElementsAre(0, 0, 0, 0, 200, 200, 200, 200, 200, 200, 200, 200, 0, 0, 0, 0));
  const PixelImage line{.shape = {1, 1, 1000}, .pixels = std::vector<std::uint8_t>(1000, 200)};
  EXPECT_THAT(fitted(line, {1, 1, 4}), Each(200));  // a row of a thousandth is still a row
}

TEST(Pixels, GreyIsRepeatedAndColourBecomesGrey) {
  EXPECT_THAT(fitted({.shape = {1, 1, 2}, .pixels = {5, 6}}, {3, 1, 2}), ElementsAre(5, 5, 5, 6, 6, 6));
  // 0.299 * 100 + 0.587 * 50 + 0.114 * 200 = 82.05
  EXPECT_THAT(fitted({.shape = {3, 1, 1}, .pixels = {100, 50, 200}}, {1, 1, 1}), ElementsAre(82));
  EXPECT_TRUE(channels_convert(1, 5));
  EXPECT_TRUE(channels_convert(5, 5));
  EXPECT_FALSE(channels_convert(3, 4));
  EXPECT_FALSE(channels_convert(4, 1));
}

TEST(Pixels, ShrinkingKeepsTheMeanAndTheRange) {
  Rng rng(3);
  for (int round = 0; round < 300; ++round) {
    PixelImage image = random_image(rng, random_shape(rng, 40));
    // Exactly the aspect: each side by its own whole factor would be another aspect, so the same for both.
    const auto factor = static_cast<std::int64_t>(1 + rng.below(5));
    image =
        random_image(rng, {image.shape.channels, image.shape.height * factor, image.shape.width * factor});
    const SampleShape wanted{image.shape.channels, image.shape.height / factor, image.shape.width / factor};
    const auto out = fitted(image, wanted);
    const auto mean = [](const std::vector<std::uint8_t>& pixels) {
      return std::accumulate(pixels.begin(), pixels.end(), 0.0) / static_cast<double>(pixels.size());
    };
    EXPECT_NEAR(mean(out), mean(image.pixels), 0.5);  // each is rounded by at most a half
    EXPECT_GE(*std::ranges::min_element(out), *std::ranges::min_element(image.pixels));
    EXPECT_LE(*std::ranges::max_element(out), *std::ranges::max_element(image.pixels));
  }
}

// Against the definition in floating point: the mean of the source over the target pixel's rectangle.
TEST(Pixels, ShrinkingByAnyFactorIsTheMeanOverTheRectangle) {
  Rng rng(4);
  for (int round = 0; round < 50; ++round) {
    const auto side = static_cast<std::int64_t>(2 + rng.below(20));
    const auto to = static_cast<std::int64_t>(1 + rng.below(static_cast<std::uint64_t>(side)));
    const PixelImage image = random_image(rng, {1, side, side});
    const auto out = fitted(image, {1, to, to});
    const double step = static_cast<double>(side) / static_cast<double>(to);
    const auto covered = [&](std::int64_t target, std::int64_t source) {
      const double low = std::max(static_cast<double>(target) * step, static_cast<double>(source));
      const double high = std::min(static_cast<double>(target + 1) * step, static_cast<double>(source + 1));
      return std::max(0.0, high - low);
    };
    for (std::int64_t y = 0; y < to; ++y) {
      for (std::int64_t x = 0; x < to; ++x) {
        double sum = 0;
        for (std::int64_t i = 0; i < side * side; ++i) {
          sum += covered(y, i / side) * covered(x, i % side) * image.pixels[static_cast<std::size_t>(i)];
        }
        EXPECT_NEAR(out[static_cast<std::size_t>(y * to + x)], sum / (step * step), 0.5 + 1e-6);
      }
    }
  }
}

TEST(Pixels, AnyImageFitsAnyShapeAndAUniformOneStaysUniform) {
  Rng rng(5);
  for (int round = 0; round < 500; ++round) {
    const SampleShape shape = random_shape(rng, 60);
    SampleShape wanted = random_shape(rng, 60);
    if (shape.channels == 1) wanted.channels = static_cast<std::int64_t>(1 + rng.below(5));
    const PixelImage image{
        .shape = shape, .pixels = std::vector<std::uint8_t>(static_cast<std::size_t>(shape.values()), 137)};
    const auto out = fitted(image, wanted);
    EXPECT_THAT(out, Each(testing::AnyOf(0, 137)));
    EXPECT_THAT(out, testing::Contains(137));
  }
}

TEST(Pixels, ValuesBecomePixelsAgain) {
  const PixelScale scale{.mean = 0.3, .deviation = 0.35};
  PixelImage image{.shape = {2, 16, 16}, .pixels = {}};
  for (int i = 0; i < 512; ++i) image.pixels.push_back(static_cast<std::uint8_t>(i % 256));
  std::vector<float> planes(512);
  PixelValues(scale).to_planes(image.view(), planes);
  EXPECT_FLOAT_EQ(planes[0], static_cast<float>(-0.3 / 0.35));                 // pixel 0 of channel 0
  EXPECT_FLOAT_EQ(planes[256], static_cast<float>((1.0 / 255 - 0.3) / 0.35));  // of channel 1 is 1
  std::vector<std::uint8_t> again(512);
  to_pixels(planes, scale, image.shape, again);
  EXPECT_EQ(again, image.pixels);
  std::vector<std::uint8_t> clipped(2);
  to_pixels(std::vector<float>{-9, 9}, scale, {1, 1, 2}, clipped);
  EXPECT_THAT(clipped, ElementsAre(0, 255));
}

}  // namespace
}  // namespace sextant::input
