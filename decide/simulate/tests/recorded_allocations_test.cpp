#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <filesystem>
#include <fstream>

#include "error_of.h"
#include "sextant/simulate/gavel.h"

namespace sextant::simulate {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const clusters::Cluster& v100_and_k80() {
  static const clusters::Cluster cluster{.name = "test",
                                         .pools = {{.type = "v100", .gpus = 1}, {.type = "k80", .gpus = 1}}};
  return cluster;
}

std::vector<RecordedAllocation> parse(const std::string& text) {
  return parse_recorded_allocations(text, "run.allocs", v100_and_k80());
}

const std::string kTwoLines =
    "[0.5, {\"0\": {\"k80\": 0.25, \"v100\": 0.5}, \"(0, 12)\": {\"v100\": 1e-3}}]\n[720, {}]\n";

void expect_two_lines(const std::vector<RecordedAllocation>& records) {
  ASSERT_EQ(records.size(), 2U);
  EXPECT_EQ(records[0].time.value, 0.5);
  ASSERT_EQ(records[0].shares.size(), 2U);
  EXPECT_EQ(records[0].shares[0].second, -1);
  EXPECT_THAT(records[0].shares[0].share, ElementsAre(0.5, 0.25)) << "in the order of the cluster";
  EXPECT_EQ(records[0].shares[1].first, 0);
  EXPECT_EQ(records[0].shares[1].second, 12);
  EXPECT_THAT(records[0].shares[1].share, ElementsAre(1e-3, 0));
  EXPECT_TRUE(records[1].shares.empty());
}

TEST(RecordedAllocations, JobsAndPairs) {
  expect_two_lines(parse(kTwoLines));
  EXPECT_TRUE(parse("").empty());
}

TEST(RecordedAllocations, PlainAndCompressedFiles) {
  const std::filesystem::path folder = testing::TempDir();
  const std::string plain = (folder / "plain.allocs").string();
  const std::string packed = (folder / "packed.allocs.gz").string();
  std::ofstream(plain) << kTwoLines;
  gzFile file = gzopen(packed.c_str(), "wb");
  gzwrite(file, kTwoLines.data(), static_cast<unsigned>(kTwoLines.size()));
  gzclose(file);
  expect_two_lines(read_recorded_allocations(plain, v100_and_k80()));
  expect_two_lines(read_recorded_allocations(packed, v100_and_k80()));
  std::filesystem::resize_file(packed, std::filesystem::file_size(packed) - 6);
  EXPECT_THAT(sextant::test::error_of([&] { read_recorded_allocations(packed, v100_and_k80()); }),
              HasSubstr("cannot be read"));
  EXPECT_THAT(sextant::test::error_of([&] { read_recorded_allocations(plain + ".none", v100_and_k80()); }),
              HasSubstr("cannot be opened"));
}

TEST(RecordedAllocations, ErrorsPoint) {
  const auto error = [](const std::string& text) { return sextant::test::error_of([&] { parse(text); }); };
  EXPECT_THAT(error("[0, {\"0\": {\"k8O\": 1}}]"), HasSubstr("run.allocs:1:12"));
  EXPECT_THAT(error("[0, {\"0\": {\"k8O\": 1}}]"), HasSubstr("did you mean 'k80'"));
  EXPECT_THAT(error("[0, {}]\n[1, {\"x\": {}}]"), HasSubstr("run.allocs:2:6"));
  EXPECT_THAT(error("[0, {\"0\": {\"k80\": 1.5}}]"), HasSubstr("from 0 to 1"));
  EXPECT_THAT(error("[0, {\"0\": {\"k80\": NaN}}]"), HasSubstr("finite number"));
  EXPECT_THAT(error("[0, {\"0\": {\"k80\": 1"), HasSubstr("'}' is expected"));
  EXPECT_THAT(error("[0, {\"(5, 5)\": {}}]"), HasSubstr("must ascend"));
  EXPECT_THAT(error("[5, {}]\n[4, {}]"), HasSubstr("before"));
  EXPECT_THAT(error("[-1, {}]"), HasSubstr("negative"));
  EXPECT_THAT(error("{}"), HasSubstr("'[' is expected"));
}

}  // namespace
}  // namespace sextant::simulate
