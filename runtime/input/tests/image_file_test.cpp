// Images through files and back, damaged ones, and folders of them.
#include "sextant/input/image_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "error_of.h"
#include "scratch.h"
#include "sextant/core/rng.h"

namespace sextant::input {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// Soft, as photographs are: JPEG keeps it to a few steps.
PixelImage gradient(const SampleShape& shape) {
  PixelImage image{.shape = shape, .pixels = {}};
  for (std::int64_t y = 0; y < shape.height; ++y) {
    for (std::int64_t x = 0; x < shape.width; ++x) {
      for (std::int64_t c = 0; c < shape.channels; ++c) {
        image.pixels.push_back(static_cast<std::uint8_t>((2 * x + y + 40 * c) % 200 + 20));
      }
    }
  }
  return image;
}

double mean_difference(const PixelImage& a, const PixelImage& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.pixels.size(); ++i) sum += std::abs(a.pixels[i] - b.pixels[i]);
  return sum / static_cast<double>(a.pixels.size());
}

TEST(ImageFile, WhatIsWrittenIsReadAgain) {
  for (const ImageFormat format : {ImageFormat::jpeg, ImageFormat::png, ImageFormat::ppm}) {
    for (const SampleShape& shape : {SampleShape{1, 1, 1}, SampleShape{3, 33, 17}, SampleShape{1, 20, 64}}) {
      const PixelImage image = gradient(shape);
      const PixelImage again = decode_image(encode_image(image.view(), format), "x");
      ASSERT_EQ(again.shape, image.shape);
      if (format == ImageFormat::jpeg) {
        EXPECT_LT(mean_difference(again, image), 4);
      } else {
        EXPECT_EQ(again.pixels, image.pixels);
      }
    }
  }
}

TEST(ImageFile, LargeJpegsAreDecodedSmallerButNotBelowTheGoal) {
  PixelImage image{.shape = {3, 400, 800}, .pixels = {}};
  for (int i = 0; i < 3 * 400 * 800; ++i)
    image.pixels.push_back(static_cast<std::uint8_t>(100 + 50 * (i % 3)));
  const auto bytes = encode_image(image.view(), ImageFormat::jpeg);
  const auto size = [&](std::int64_t height, std::int64_t width) {
    const SampleShape shape = decode_image(bytes, "x", {3, height, width}).shape;
    return std::pair(shape.height, shape.width);
  };
  EXPECT_EQ(size(400, 800), std::pair(400L, 800L));
  EXPECT_EQ(size(200, 401), std::pair(200L, 400L));  // fits as 200 x 400
  EXPECT_EQ(size(224, 224), std::pair(200L, 400L));  // fits as 112 x 224
  EXPECT_EQ(size(64, 64), std::pair(50L, 100L));     // fits as 32 x 64
  EXPECT_EQ(size(1, 1), std::pair(50L, 100L));       // an eighth is the least
  // What fits the network is the same colour either way.
  std::vector<std::uint8_t> fitted(3 * 64 * 64);
  fit_pixels(decode_image(bytes, "x", {3, 64, 64}).view(), {3, 64, 64}, fitted);
  for (std::size_t c = 0; c < 3; ++c)
    EXPECT_NEAR(fitted[3 * (32 * 64 + 32) + c], 100 + 50 * static_cast<int>(c), 2);
}

TEST(ImageFile, NetpbmHeadersMayHaveCommentsAndOtherRanges) {
  const auto pixels = [](const std::string& text) {
    return decode_image({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}, "x").pixels;
  };
  using std::string_literals::operator""s;
  EXPECT_THAT(pixels("P5 # width\n2\t1 #height\n15\n\x0f\x03"), ElementsAre(255, 51));
  EXPECT_THAT(pixels("P5\n1 1\n65535\n\x80\x00"s), ElementsAre(128));
  EXPECT_THAT(pixels("P6 1 1 255\nabc"), ElementsAre('a', 'b', 'c'));
}

// Whatever is missing at the end, the image is refused: half of a picture in grey must not be learnt.
TEST(ImageFile, WhatIsCutOffIsRefused) {
  const PixelImage image = gradient({3, 24, 24});
  for (const ImageFormat format : {ImageFormat::jpeg, ImageFormat::png, ImageFormat::ppm}) {
    const auto bytes = encode_image(image.view(), format);
    for (std::size_t length = 0; length + 20 < bytes.size(); ++length) {
      const std::span part(bytes.data(), length);
      EXPECT_THAT(sextant::test::error_of([&] { decode_image(part, "cut"); }),
                  testing::StartsWith("cut: error: "))
          << image_ending(format) << " " << length << " of " << bytes.size();
    }
  }
}

// A byte changed anywhere: refused, or an image of the same number of channels; never a crash.
TEST(ImageFile, WhatIsDamagedIsRefusedOrAnImage) {
  const PixelImage image = gradient({3, 9, 9});
  for (const ImageFormat format : {ImageFormat::jpeg, ImageFormat::png, ImageFormat::ppm}) {
    const auto bytes = encode_image(image.view(), format);
    std::size_t refused = 0;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      auto damaged = bytes;
      damaged[i] ^= 0x55;
      try {
        const PixelImage read = decode_image(damaged, "x");
        EXPECT_EQ(read.pixels.size(), static_cast<std::size_t>(read.shape.values()));
      } catch (const InputError&) {
        ++refused;
      }
    }
    EXPECT_GT(refused, 0U);
  }
}

TEST(ImageFile, HugeSizesAreRefusedBeforeMemoryIsTaken) {
  const auto message = [](const std::vector<std::uint8_t>& bytes) {
    return sextant::test::error_of([&] { decode_image(bytes, "huge"); });
  };
  const std::string ppm = "P6 60000 60000 255\nabc";
  EXPECT_THAT(message({ppm.begin(), ppm.end()}), HasSubstr("an image of 60000 x 60000 pixels"));
  const std::string long_number = "P6 99999999999999999999999 1 255\nabc";
  EXPECT_THAT(message({long_number.begin(), long_number.end()}), HasSubstr("pixels; at most"));
  auto jpeg = encode_image(gradient({1, 8, 8}).view(), ImageFormat::jpeg);
  constexpr std::array<std::uint8_t, 2> kFrame{0xff, 0xc0};
  const auto frame = std::search(jpeg.begin(), jpeg.end(), kFrame.begin(), kFrame.end());
  ASSERT_NE(frame, jpeg.end());
  std::fill_n(frame + 5, 4, std::uint8_t{0xf0});  // height and width: 61680
  EXPECT_THAT(message(jpeg), HasSubstr("an image of 61680 x 61680 pixels"));
}

PixelImage decode_seed(const std::string& name) {
  std::ifstream in(std::string(SEXTANT_SOURCE_DIR "/runtime/input/fuzz/corpus/image/") + name,
                   std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  return decode_image({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}, name);
}

TEST(ImageFile, RarerKindsAreRead) {
  // Light 200, 100 and 255 through black ink that lets 128 of 255 pass: 100, 50 and 128.
  const PixelImage cmyk = decode_seed("cmyk_jpg");
  ASSERT_EQ(cmyk.shape, (SampleShape{3, 8, 8}));
  EXPECT_NEAR(cmyk.pixels[0], 100, 3);
  EXPECT_NEAR(cmyk.pixels[1], 50, 3);
  EXPECT_NEAR(cmyk.pixels[2], 128, 3);
  EXPECT_EQ(decode_seed("progressive_jpg").shape, (SampleShape{3, 9, 17}));
  EXPECT_THAT(decode_seed("palette_png").pixels,
              ElementsAre(255, 0, 0, 0, 255, 0, 0, 0, 255, 9, 9, 9, 255, 0, 0, 0, 255, 0));
  // White that is wholly transparent shows black; red that is not stays, 16 bits becoming 8.
  EXPECT_THAT(decode_seed("alpha_png").pixels, ElementsAre(0, 0, 0, 255, 0, 0));
}

TEST(ImageFile, OtherBytesAreNoImage) {
  const std::string text = "GIF89a";
  EXPECT_EQ(sextant::test::error_of([&] {
              decode_image({reinterpret_cast<const std::uint8_t*>(text.data()), 6}, "a.gif");
            }),
            "a.gif: error: this is no image that can be read\n  hint: JPEG, PNG, and binary PPM and PGM");
  EXPECT_THAT(sextant::test::error_of([&] { decode_image({}, "a.jpg"); }), HasSubstr("the file is empty"));
  const std::vector<std::uint8_t> pixels(8);
  EXPECT_THAT(sextant::test::error_of([&] {
                encode_image({{2, 2, 2}, pixels}, ImageFormat::png);
              }),
              HasSubstr("2 channels cannot be written"));
}

TEST(ImageFolder, ClassesAndFilesAreInTheOrderOfTheirNames) {
  const test::Scratch folder;
  const auto pixel = [](std::uint8_t value) {
    return encode_image({{1, 1, 1}, std::span(&value, 1)}, ImageFormat::ppm);
  };
  folder.write("dogs/2.PPM", pixel(2));
  folder.write("dogs/10.pgm", pixel(10));
  folder.write("cats/9.ppm", pixel(9));
  folder.write("cats/notes.txt", "not an image");
  folder.write("cats/.hidden.ppm", "not an image");
  const auto samples = open_sample_set({.name = folder.str(), .shape = {1, 1, 1}});
  ASSERT_EQ(samples->size(), 3);
  EXPECT_EQ(samples->classes(), 2);
  std::vector<float> value(1);
  const auto read = [&](std::int64_t i) {
    const std::int64_t label = samples->read(i, value);
    return std::pair(label, std::lround((value[0] * 0.25 + 0.5) * 255));
  };
  EXPECT_EQ(read(0), std::pair(std::int64_t{0}, 9L));
  EXPECT_EQ(read(1), std::pair(std::int64_t{1}, 10L));  // "10.pgm" before "2.PPM"
  EXPECT_EQ(read(2), std::pair(std::int64_t{1}, 2L));
}

TEST(ImageFolder, SplitsAreSubFolders) {
  const test::Scratch folder;
  const std::string pgm = "P5 1 1 255\nx";
  folder.write("train/a/1.pgm", pgm);
  folder.write("train/a/2.pgm", pgm);
  EXPECT_FALSE(has_test_split(folder.str()));
  EXPECT_THAT(sextant::test::error_of([&] { open_sample_set({.name = folder.str(), .split = Split::test}); }),
              HasSubstr("has no samples apart to test with"));
  folder.write("val/a/3.pgm", pgm);
  EXPECT_TRUE(has_test_split(folder.str()));
  EXPECT_EQ(open_sample_set({.name = folder.str()})->size(), 2);
  EXPECT_EQ(open_sample_set({.name = folder.str(), .split = Split::test})->size(), 1);
}

TEST(ImageFolder, WhatIsWrongIsNamedWithItsPath) {
  const test::Scratch folder;
  EXPECT_THAT(sextant::test::error_of([&] { open_sample_set({.name = folder.str()}); }),
              HasSubstr("has no images"));
  folder.write("a/broken.png", "\x89PNG\r\n");
  folder.write("b/colour.ppm", "P6 1 1 255\nxyz");
  EXPECT_THAT(sextant::test::error_of([&] { open_sample_set({.name = folder.str(), .classes = 1}); }),
              HasSubstr("has 2 classes, the network 1"));
  const auto samples = open_sample_set({.name = folder.str(), .shape = {2, 1, 1}});
  std::vector<float> values(2);
  EXPECT_THAT(sextant::test::error_of([&] { samples->read(0, values); }),
              testing::StartsWith((folder / "a/broken.png") + ": error: damaged PNG"));
  EXPECT_THAT(sextant::test::error_of([&] { samples->read(1, values); }),
              HasSubstr("the image has 3 channels, where the network reads 2"));
}

TEST(ImageFolder, SamplesWrittenAsImagesAreReadAgain) {
  const test::Scratch folder;
  const auto made = open_sample_set({.name = "synthetic:samples=25", .shape = {3, 8, 8}, .classes = 12});
  write_image_folder(*made, folder / "images", ImageFormat::png);
  const auto read = open_sample_set({.name = folder / "images", .shape = {3, 8, 8}, .classes = 12});
  ASSERT_EQ(read->size(), 25);
  std::vector<float> a(192);
  std::vector<float> b(192);
  // Sorted by class: class 0 has samples 0, 12 and 24, class 1 has 1 and 13.
  EXPECT_EQ(read->read(1, a), 0);
  EXPECT_EQ(made->read(12, b), 0);
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double clipped = std::clamp(b[i], -4.0F, 4.0F);  // what a byte holds with deviation 1/8
    EXPECT_NEAR(a[i] * 0.25, clipped * 0.125, 0.51 / 255);
  }
  EXPECT_THAT(
      sextant::test::error_of([&] { write_image_folder(*made, folder / "images", ImageFormat::png); }),
      HasSubstr("is there already, and not empty"));
}

TEST(ImageFolder, NothingIsLeftOfAFolderThatCouldNotBeWritten) {
  const test::Scratch folder;
  const auto made = open_sample_set({.name = "synthetic:samples=3", .shape = {2, 8, 8}});
  EXPECT_THAT(
      sextant::test::error_of([&] { write_image_folder(*made, folder / "images", ImageFormat::png); }),
      HasSubstr("2 channels cannot be written"));
  EXPECT_FALSE(std::filesystem::exists(folder / "images"));
}

}  // namespace
}  // namespace sextant::input
