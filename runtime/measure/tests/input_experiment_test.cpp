// The input experiment as it runs: every point measured, files removed, designs that cannot be refused. How
// fast it was is nothing that a test can know.
#include "sextant/measure/input_experiment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <set>

#include "error_of.h"
#include "input_design.h"
#include "input_files.h"

namespace sextant::measure {
namespace {

using testing::HasSubstr;

namespace fs = std::filesystem;

class InputExperiment : public testing::Test {
 protected:
  InputExperiment()
      : scratch_(fs::temp_directory_path() / ("sextant-input-test-" + std::to_string(getpid()))) {
    fs::create_directories(scratch_);
  }
  ~InputExperiment() override { fs::remove_all(scratch_); }

  [[nodiscard]] InputDesign small() const {
    return {.formats = {"images", "images-png", "images-ppm", "records", "records-zlib"},
            .batches = {2, 4},
            .batch_counts = {1, 5},
            .samples = {6, 9},
            .prefetch = {0, 2},
            .cache = {0, 1},
            .repetitions = 2,
            .shape = {3, 8, 8},
            .scratch = scratch_};
  }
  std::string message(const InputDesign& design) {
    const std::string text = sextant::test::error_of([&] { measure_input(design, progress_); });
    EXPECT_TRUE(fs::is_empty(scratch_));
    return text;
  }

  fs::path scratch_;
  NoProgress progress_;
};

TEST_F(InputExperiment, MeasuresEveryPointAndLeavesNothingBehind) {
  const InputReport report = measure_input(small(), progress_);
  EXPECT_TRUE(report.complete);
  ASSERT_EQ(report.points.size(), 5U * 2 * 2 * 2 * 2 * 2);
  for (const InputPoint& point : report.points) {
    ASSERT_EQ(point.samples_per_s.size(), 2U);
    ASSERT_EQ(point.bytes_per_s.size(), 2U);
    for (std::size_t i = 0; i < 2; ++i) {
      EXPECT_GT(point.samples_per_s[i], 0);
      EXPECT_TRUE(std::isfinite(point.samples_per_s[i]));
      EXPECT_DOUBLE_EQ(point.bytes_per_s[i], point.samples_per_s[i] * 3 * 8 * 8 * 4);
    }
  }
  EXPECT_EQ(report.lines.size(), 4U + 5U);  // formats against the first, and the other factors
  EXPECT_EQ(report.joint.size(), 9U);
  EXPECT_THAT(report.notes.front(), HasSubstr("page cache"));
  EXPECT_TRUE(fs::is_empty(scratch_));
}

TEST_F(InputExperiment, TakesAnotherDataSetForItsFiles) {
  InputDesign design = small();
  design.data = "synthetic:samples=20";
  design.formats = {"records"};
  EXPECT_EQ(measure_input(design, progress_).points.size(), 32U);
  design.data = "synthetic:samples=8";
  EXPECT_THAT(message(design), HasSubstr("has 8 samples, fewer than 9"));
}

TEST_F(InputExperiment, ABudgetThatIsSpentIsSaid) {
  InputDesign design = small();
  design.budget_s = 1e-9;
  const InputReport report = measure_input(design, progress_);
  EXPECT_FALSE(report.complete);
  EXPECT_TRUE(report.points.empty());
  EXPECT_TRUE(report.lines.empty());
  EXPECT_THAT(report.notes, testing::Contains(HasSubstr("the budget ended after 0 of 320 measurements")));
  EXPECT_TRUE(fs::is_empty(scratch_));
}

TEST_F(InputExperiment, DesignsThatCannotBeMeasuredAreRefused) {
  const auto with = [&](auto change) {
    InputDesign design = small();
    change(design);
    return message(design);
  };
  EXPECT_THAT(with([](InputDesign& d) { d.formats = {"record"}; }), HasSubstr("did you mean 'records'?"));
  EXPECT_THAT(with([](InputDesign& d) { d.formats = {}; }), HasSubstr("`formats`: error: the list is empty"));
  EXPECT_THAT(with([](InputDesign& d) { d.formats = {"records", "records"}; }), HasSubstr("given twice"));
  EXPECT_THAT(with([](InputDesign& d) { d.batches = {}; }), HasSubstr("`batch`: error: the list is empty"));
  EXPECT_THAT(with([](InputDesign& d) { d.batches = {4, 4}; }), HasSubstr("a value is given twice"));
  EXPECT_THAT(with([](InputDesign& d) { d.batches = {0}; }), HasSubstr("0 is not between 1 and"));
  EXPECT_THAT(with([](InputDesign& d) { d.batches = {7}; }),
              HasSubstr("a batch of 7 is more than a data set of 6"));
  EXPECT_THAT(with([](InputDesign& d) { d.cache = {2}; }), HasSubstr("2 is not between 0 and 1"));
  EXPECT_THAT(with([](InputDesign& d) { d.repetitions = 0; }), HasSubstr("`repetitions`: error: 0"));
  EXPECT_THAT(with([](InputDesign& d) { d.budget_s = std::nan(""); }), HasSubstr("`budget`: error: "));
  EXPECT_THAT(with([](InputDesign& d) { d.shape = {2, 8, 8}; }), HasSubstr("2 channels cannot be written"));
  EXPECT_THAT(with([](InputDesign& d) { d.shape = {3, 0, 8}; }), HasSubstr("cannot be read"));
  EXPECT_THAT(with([](InputDesign& d) { d.data = "imagenet"; }),
              HasSubstr("`data`: error: there is no data set 'imagenet'"));
}

TEST_F(InputExperiment, AScratchFolderThatCannotBeMadeIsASystemError) {
  InputDesign design = small();
  design.scratch = "/proc/none";
  EXPECT_THROW(measure_input(design, progress_), SystemError);
  design = small();
  design.samples = {90'000'000};
  design.shape = {3, 4096, 4096};
  EXPECT_THROW(measure_input(design, progress_), SystemError);  // no disk is so large
  EXPECT_TRUE(fs::is_empty(scratch_));
}

TEST(InputDesign, RepetitionsTakeAllPointsInOrdersOfTheirOwn) {
  const auto first = input_order(50, 0, 3);
  EXPECT_EQ(first, input_order(50, 0, 3));
  EXPECT_NE(first, input_order(50, 1, 3));
  EXPECT_EQ(std::set(first.begin(), first.end()).size(), 50U);
}

TEST_F(InputExperiment, PageCacheIsObserved) {
  const fs::path file = scratch_ / "file";
  write_record_file(*input::open_sample_set({.name = "synthetic:samples=100"}), file.string());
  const std::optional<double> written = share_in_page_cache(file);
  ASSERT_TRUE(written.has_value());
  EXPECT_GT(*written, 0.5);  // it has just been written
  drop_from_page_cache(file);
  const std::optional<double> dropped = share_in_page_cache(file);
  ASSERT_TRUE(dropped.has_value());
  EXPECT_LE(*dropped, *written);  // file systems in memory keep all
  EXPECT_FALSE(share_in_page_cache(scratch_ / "none").has_value());
}

}  // namespace
}  // namespace sextant::measure
