// IDX files, plain and packed.
#include "sextant/input/idx.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include "error_of.h"
#include "scratch.h"

namespace sextant::input {
namespace {

using Bytes = std::vector<std::uint8_t>;
using testing::ElementsAre;
using testing::HasSubstr;

const Bytes kSmall{0, 0, 8, 2, 0, 0, 0, 2, 0, 0, 0, 3, 1, 2, 3, 4, 5, 6};

Bytes packed(const test::Scratch& folder, const Bytes& bytes) {
  const std::string path = folder / "packed.gz";
  gzFile file = gzopen(path.c_str(), "wb");
  gzwrite(file, bytes.data(), static_cast<unsigned>(bytes.size()));
  gzclose(file);
  const std::string text = folder.read("packed.gz");
  return {text.begin(), text.end()};
}

std::string message(const Bytes& bytes) {
  return sextant::test::error_of([&] { parse_idx(bytes, "x-idx"); });
}

TEST(Idx, PlainAndPackedGiveTheSame) {
  const test::Scratch folder;
  for (const Bytes& bytes : {kSmall, packed(folder, kSmall)}) {
    const IdxArray array = parse_idx(bytes, "x-idx");
    EXPECT_THAT(array.dims, ElementsAre(2, 3));
    EXPECT_THAT(array.values, ElementsAre(1, 2, 3, 4, 5, 6));
  }
}

TEST(Idx, WhatIsCutOffOrFollowedByMoreIsRefused) {
  const test::Scratch folder;
  for (const Bytes& bytes : {kSmall, packed(folder, kSmall)}) {
    for (std::size_t length = 0; length < bytes.size(); ++length) {
      EXPECT_THAT(message({bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(length)}),
                  testing::StartsWith("x-idx: error: "))
          << length;
    }
  }
  Bytes more = kSmall;
  more.push_back(7);
  EXPECT_THAT(message(more), HasSubstr("bytes follow the last element"));
  EXPECT_THAT(message(packed(folder, more)), HasSubstr("bytes follow the last element"));
}

TEST(Idx, OtherTypesAndSizesAreRefused) {
  EXPECT_THAT(message({1, 0, 8, 1, 0, 0, 0, 1, 9}), HasSubstr("not an IDX file"));
  EXPECT_THAT(message({0, 0, 13, 1, 0, 0, 0, 1, 9, 9, 9, 9}), HasSubstr("not unsigned bytes"));
  EXPECT_THAT(message({0, 0, 8, 0, 5}), HasSubstr("0 dimensions"));
  EXPECT_THAT(message({0, 0, 8, 200, 5}), HasSubstr("200 dimensions"));
  EXPECT_THAT(message({0, 0, 8, 1, 0, 0, 0, 0}), HasSubstr("a dimension is zero"));
  EXPECT_THAT(message({0, 0, 8, 2, 255, 255, 255, 255, 255, 255, 255, 255}), HasSubstr("more than 4 GiB"));
  EXPECT_THAT(message({0, 0, 8, 1, 240, 0, 0, 0, 1}), HasSubstr("too short for its dimensions"));
}

TEST(Idx, APackedFileThatPromisesMoreThanItCanHoldIsRefusedBeforeMemoryIsTaken) {
  const test::Scratch folder;
  EXPECT_THAT(message(packed(folder, {0, 0, 8, 1, 240, 0, 0, 0, 1})),
              HasSubstr("too short for its dimensions"));
}

TEST(Idx, ADamagedPackedFileIsRefused) {
  const test::Scratch folder;
  Bytes bytes = packed(folder, kSmall);
  bytes[bytes.size() - 6] ^= 1;  // of the checksum
  EXPECT_THAT(message(bytes), HasSubstr("its checksum does not hold"));
}

}  // namespace
}  // namespace sextant::input
