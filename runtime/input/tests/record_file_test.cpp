// Record files: written, read by many threads, damaged in every byte.
#include "sextant/input/record_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "error_of.h"
#include "scratch.h"
#include "sextant/input/image_file.h"
#include "sextant/input/pixels.h"

namespace sextant::input {
namespace {

using testing::HasSubstr;

void write_small(const std::string& path, RecordEncoding encoding) {
  write_record_file(*open_sample_set({.name = "synthetic:samples=6", .shape = {1, 4, 3}, .classes = 4}), path,
                    encoding);
}

std::vector<std::vector<float>> all_values(const SampleSet& samples) {
  std::vector<std::vector<float>> all;
  for (std::int64_t i = 0; i < samples.size(); ++i) {
    all.emplace_back(static_cast<std::size_t>(samples.shape().values()));
    all.back().push_back(static_cast<float>(samples.read(i, all.back())));
  }
  return all;
}

TEST(RecordFile, HoldsPixelsAndLabels) {
  const test::Scratch folder;
  const auto made = open_sample_set({.name = "synthetic:samples=6", .shape = {1, 4, 3}, .classes = 4});
  for (const auto encoding : {RecordEncoding::raw_u8, RecordEncoding::zlib_u8}) {
    write_small(folder / "x.sxr", encoding);
    const RecordFile file(folder / "x.sxr");
    EXPECT_EQ(file.header().samples, 6);
    EXPECT_EQ(file.header().classes, 4);
    EXPECT_EQ(file.header().shape, (SampleShape{1, 4, 3}));
    EXPECT_EQ(file.header().scale, made->scale());
    std::vector<float> values(12);
    std::vector<std::uint8_t> expected(12);
    std::vector<std::uint8_t> got(12);
    for (std::int64_t i = 0; i < 6; ++i) {
      EXPECT_EQ(file.read(i, got), made->read(i, values));
      to_pixels(values, made->scale(), {1, 4, 3}, expected);
      EXPECT_EQ(got, expected);
    }
  }
  // Header, index and 6 x 12 pixels, as the header file says.
  write_small(folder / "x.sxr", RecordEncoding::raw_u8);
  EXPECT_EQ(std::filesystem::file_size(folder / "x.sxr"), 64U + 6 * 24 + 6 * 12);
}

TEST(RecordFile, OfAFolderGivesExactlyItsSamples) {
  const test::Scratch folder;
  const auto made = open_sample_set({.name = "synthetic:samples=20", .shape = {3, 10, 14}});
  write_image_folder(*made, folder / "images", ImageFormat::jpeg);
  const auto images = open_sample_set({.name = folder / "images", .shape = {3, 8, 8}});
  for (const auto encoding : {RecordEncoding::raw_u8, RecordEncoding::zlib_u8}) {
    write_record_file(*images, folder / "x.sxr", encoding);
    EXPECT_EQ(all_values(*open_sample_set({.name = folder / "x.sxr", .shape = {3, 8, 8}})),
              all_values(*images));
  }
}

TEST(RecordFile, IsFittedToAnotherShape) {
  const test::Scratch folder;
  write_small(folder / "x.sxr", RecordEncoding::raw_u8);
  const auto larger = open_sample_set({.name = folder / "x.sxr", .shape = {3, 6, 3}});
  std::vector<float> values(54);
  larger->read(0, values);
  const float black = values[0];
  EXPECT_FLOAT_EQ(black, -0.5F / 0.125F);
  EXPECT_EQ(values[15], black);  // the last row is padding too
  EXPECT_EQ(std::vector(values.begin(), values.begin() + 18), std::vector(values.begin() + 36, values.end()));
  EXPECT_THAT(sextant::test::error_of([&] { open_sample_set({.name = folder / "x.sxr", .classes = 3}); }),
              HasSubstr("has 4 classes, the network 3"));
}

TEST(RecordFile, TestSamplesAreInAFileBesideIt) {
  const test::Scratch folder;
  write_small(folder / "x.sxr", RecordEncoding::raw_u8);
  EXPECT_FALSE(has_test_split(folder / "x.sxr"));
  EXPECT_THAT(
      sextant::test::error_of([&] { open_sample_set({.name = folder / "x.sxr", .split = Split::test}); }),
      HasSubstr("x.test.sxr for x.sxr"));
  write_small(folder / "x.test.sxr", RecordEncoding::raw_u8);
  EXPECT_TRUE(has_test_split(folder / "x.sxr"));
  EXPECT_EQ(open_sample_set({.name = folder / "x.sxr", .split = Split::test})->size(), 6);
}

TEST(RecordFile, ThreadsReadItAtOnce) {
  const test::Scratch folder;
  write_small(folder / "x.sxr", RecordEncoding::zlib_u8);
  const auto samples = open_sample_set({.name = folder / "x.sxr", .shape = {1, 4, 3}});
  const auto expected = all_values(*samples);
  std::vector<std::vector<std::vector<float>>> got(4);
  std::vector<std::thread> threads;
  for (auto& mine : got) threads.emplace_back([&mine, &samples] { mine = all_values(*samples); });
  for (auto& thread : threads) thread.join();
  for (const auto& each : got) EXPECT_EQ(each, expected);
}

// Every byte of the file is under a checksum: one that changes is found, at the latest when its record is
// read.
TEST(RecordFile, AnyChangedByteAndAnyShorterFileIsRefused) {
  const test::Scratch folder;
  for (const auto encoding : {RecordEncoding::raw_u8, RecordEncoding::zlib_u8}) {
    write_small(folder / "x.sxr", encoding);
    const std::string good = folder.read("x.sxr");
    const auto read_all = [&] {
      all_values(*open_sample_set({.name = folder / "bad.sxr", .shape = {1, 4, 3}}));
    };
    for (std::size_t i = 0; i < good.size(); ++i) {
      std::string bad = good;
      bad[i] = static_cast<char>(bad[i] ^ 0x10);
      folder.write("bad.sxr", bad);
      EXPECT_THAT(sextant::test::error_of(read_all), HasSubstr("bad.sxr: error: ")) << "byte " << i;
      folder.write("bad.sxr", good.substr(0, i));
      EXPECT_THAT(sextant::test::error_of(read_all), HasSubstr("bad.sxr: error: ")) << "length " << i;
    }
    folder.write("bad.sxr", good + "x");
    EXPECT_THAT(sextant::test::error_of(read_all), HasSubstr("bytes follow the last record"));
  }
}

TEST(RecordFile, MissingFilesAndFoldersAreNamed) {
  const test::Scratch folder;
  EXPECT_THAT(sextant::test::error_of([&] { open_sample_set({.name = folder / "none.sxr"}); }),
              HasSubstr("none.sxr: error: the file cannot be read: No such file"));
  std::filesystem::create_directory(folder / "folder.sxr");
  EXPECT_THAT(sextant::test::error_of([&] { open_sample_set({.name = folder / "folder.sxr"}); }),
              HasSubstr("is not a file"));
}

TEST(RecordFile, AWriterThatFailsLeavesWhatWasThere) {
  class Failing final : public SampleSet {
    [[nodiscard]] std::int64_t size() const override { return 5; }
    [[nodiscard]] std::int64_t classes() const override { return 1; }
    [[nodiscard]] SampleShape shape() const override { return {1, 2, 2}; }
    std::int64_t read(std::int64_t index, std::span<float> /*values*/) const override {
      if (index == 3) throw InputError("sample 3 is damaged");
      return 0;
    }
  };
  const test::Scratch folder;
  folder.write("x.sxr", "what was there");
  EXPECT_EQ(sextant::test::error_of([&] { write_record_file(Failing(), folder / "x.sxr"); }),
            "error: sample 3 is damaged");
  EXPECT_EQ(folder.read("x.sxr"), "what was there");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.str()), {}), 1);
  EXPECT_THROW(write_record_file(Failing(), folder / "no/folder/x.sxr"), InputError);
}

}  // namespace
}  // namespace sextant::input
