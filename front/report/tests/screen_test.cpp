// What gives way where a table is wider than the terminal, and what never does.
#include <gtest/gtest.h>

#include <sstream>

#include "sextant/report/render.h"
#include "sextant/report/result.h"
#include "sextant/report/text_wrap.h"

namespace sextant::report {
namespace {

using enum Importance;

std::string at_width(const Table& table, int width) {
  std::ostringstream out;
  render_screen(out, table, {.color = false, .width = width});
  return out.str();
}

Table runs() {
  Table table;
  table.columns = {{"net", "net", identity},      {"strategy", "strategy", identity},
                   {"batch", "batch", identity},  {"step_s", "step", essential},
                   {"fits", "fits", essential},   {"memory_bytes", "memory"},
                   {"samples_per_s", "samples/s"}};
  const auto row = [](const char* strategy, std::int64_t batch, double seconds, double memory) {
    return std::vector<Cell>{
        "resnet50", strategy, batch, Seconds{seconds}, true, Bytes{memory * 1e9}, std::int64_t{100} * batch};
  };
  table.rows = {row("data", 32, 0.070, 4), row("zero-3", 32, 0.072, 3), row("data", 64, 0.13, 8)};
  return table;
}

TEST(Screen, ShowsEverythingWhereThereIsRoom) {
  EXPECT_EQ(at_width(runs(), 80),
            "net       strategy  batch     step  fits    memory  samples/s\n"
            "resnet50  data         32  70.0 ms  yes   3.73 GiB      3,200\n"
            "resnet50  zero-3       32  72.0 ms  yes   2.79 GiB      3,200\n"
            "resnet50  data         64   130 ms  yes   7.45 GiB      6,400\n");
}

TEST(Screen, SaysOnceWhatAllRowsShareBeforeItLeavesSomethingOut) {
  EXPECT_EQ(at_width(runs(), 55),
            "All rows: net resnet50\n"
            "strategy  batch     step  fits    memory  samples/s\n"
            "data         32  70.0 ms  yes   3.73 GiB      3,200\n"
            "zero-3       32  72.0 ms  yes   2.79 GiB      3,200\n"
            "data         64   130 ms  yes   7.45 GiB      6,400\n");
}

TEST(Screen, SaysResultsOnceWhereThereIsStillNoRoom) {
  EXPECT_EQ(at_width(runs(), 46),
            "All rows: net resnet50, fits yes\n"
            "strategy  batch     step    memory  samples/s\n"
            "data         32  70.0 ms  3.73 GiB      3,200\n"
            "zero-3       32  72.0 ms  2.79 GiB      3,200\n"
            "data         64   130 ms  7.45 GiB      6,400\n");
}

TEST(Screen, KeepsWhatTellsRowsApartAndLeavesDetailsOutFromTheRight) {
  EXPECT_EQ(at_width(runs(), 36),
            "All rows: net resnet50, fits yes\n"
            "strategy  batch     step    memory\n"
            "data         32  70.0 ms  3.73 GiB\n"
            "zero-3       32  72.0 ms  2.79 GiB\n"
            "data         64   130 ms  7.45 GiB\n"
            "Not shown at this width: samples/s.\n");
}

TEST(Screen, AColumnThatIsItsOwnValueIsSaidOnce) {
  Table table;
  table.columns = {{"machine", "machine", identity}, {"pareto", "front", essential}, {"note", "note"}};
  table.rows = {{"a", "front", "some words"}, {"b", "front", "more words"}};
  EXPECT_TRUE(at_width(table, 12).starts_with("All rows:\n  front\n")) << at_width(table, 12);
}

// Without the number of GPUs the first and the second row of the later tables would be the same.
TEST(Screen, BandsTellTheirRowsApart) {
  Table table;
  table.columns = {{"gpu", "gpu", identity},
                   {"count", "count", identity},
                   {"step", "step", essential},
                   {"low", "90 % low", essential},
                   {"high", "90 % high", essential}};
  const auto row = [](const char* gpu, std::int64_t count) {
    return std::vector<Cell>{gpu, count, Seconds{1}, Seconds{0.5}, Seconds{2}};
  };
  table.rows = {row("h100-sxm-80gb", 8), row("h100-sxm-80gb", 64), row("a100-sxm4-40gb", 8)};
  table.rows[1][2] = Cell(Seconds{3});
  table.rows[1][3] = Cell(Seconds{4});
  table.rows[1][4] = Cell(Seconds{5});
  const std::string shown = at_width(table, 34);
  std::size_t heads = 0;
  for (std::size_t at = shown.find("gpu "); at != std::string::npos; at = shown.find("gpu ", at + 1)) ++heads;
  std::size_t counts = 0;
  for (std::size_t at = shown.find("count"); at != std::string::npos; at = shown.find("count", at + 1))
    ++counts;
  EXPECT_GT(heads, 1U) << shown;
  EXPECT_EQ(counts, heads) << shown;
}

TEST(Screen, ANarrowColumnTakesTheRoomThatAWideOneLeft) {
  Table table;
  table.columns = {{"id", "id", identity}, {"name", "name"}, {"n", "n"}};
  table.rows = {{"a", "twelve-chars", std::int64_t{1}}, {"b", "thirteen-char", std::int64_t{2}}};
  EXPECT_EQ(at_width(table, 15), "id  n\na   1\nb   2\nNot shown at\n  this width:\n  name.\n");
}

TEST(Screen, ASingleRowSaysAboveWhatItIsAbout) {
  Table one = runs();
  one.rows.resize(1);
  EXPECT_EQ(at_width(one, 40),
            "net resnet50, strategy data, batch 32\n"
            "   step  fits    memory  samples/s\n"
            "70.0 ms  yes   3.73 GiB      3,200\n");
}

TEST(Screen, RowsThatAreAllTheSameStayATable) {
  Table table;
  table.columns = {{"net", "net", identity}, {"name", "name", identity}};
  table.rows = {{"resnet50", "conv"}, {"resnet50", "conv"}};
  EXPECT_EQ(at_width(table, 13), "net       na…\nresnet50  co…\nresnet50  co…\n");
}

TEST(Screen, WhatFollowsBelowHasAllThatIdentifiesItsRows) {
  Table table;
  table.columns = {{"a", "a", identity}, {"b", "b", identity}};
  table.rows = {{"x", "1"}, {"x", "2"}, {"y", "1"}};
  for (const char* name : {"first", "second", "third"}) {
    table.columns.push_back({name, name, essential});
    for (std::size_t row = 0; row < 3; ++row) table.rows[row].emplace_back(static_cast<double>(100000 + row));
  }
  EXPECT_EQ(at_width(table, 22),
            "a  b    first   second\n"
            "x  1  100,000  100,000\n"
            "x  2  100,001  100,001\n"
            "y  1  100,002  100,002\n"
            "\n"
            "a  b    third\n"
            "x  1  100,000\n"
            "x  2  100,001\n"
            "y  1  100,002\n");
}

// All that identifies the rows would fill the line; the batch alone is that of two rows each.
TEST(Screen, WhatFollowsBelowTellsItsRowsApartWhereThereIsRoom) {
  Table table;
  table.columns = {{"batch", "batch", identity},
                   {"strategy", "strategy", identity},
                   {"workers", "workers", identity},
                   {"link", "link", identity}};
  for (const std::int64_t batch : {16, 64}) {
    table.rows.push_back({batch, "single-process", std::int64_t{1}, "none"});
    table.rows.push_back({batch, "all-reduce", std::int64_t{2}, "gloo-tcp"});
  }
  for (const char* name : {"first", "second", "third"}) {
    table.columns.push_back({name, name, essential});
    for (std::size_t row = 0; row < 4; ++row) table.rows[row].emplace_back(static_cast<double>(100000 + row));
  }
  const std::string shown = at_width(table, 40);
  const std::string below = shown.substr(shown.find("\n\n") + 2);
  EXPECT_THAT(below, testing::StartsWith("batch  workers"));
}

// What follows of a name stands under it and a little to the right; the next row begins at the left.
TEST(Screen, FoldedNamesBeginNoRow) {
  Table table;
  table.columns = {{"machine", "machine", identity}, {"time", "time", essential}};
  table.rows = {{"azure/standard_nc24ads_a100_v4", Seconds{1}}, {"aws/p4d.24xlarge", Seconds{2}}};
  EXPECT_EQ(at_width(table, 24),
            "machine             time\n"
            "azure/standard_   1.00 s\n"
            "  nc24ads_a100_\n"
            "  v4\n"
            "aws/p4d.24xlarge  2.00 s\n");
}

Table marked() {
  Table table;
  table.columns = {{"gpu", "gpu", identity}, {"step_s", "step", essential}, {"low_s", "90 % low"}};
  Cell outside(Seconds{0.0545});
  outside.shown += " *";
  Cell bound(Seconds{0.002});
  bound.shown = ">= " + bound.shown;
  table.rows = {{"v100", outside, bound}, {"t4", Seconds{0.0124}, Seconds{0.01}}};
  table.marks = {{"*", "outside"}, {">=", "at least"}};
  return table;
}

TEST(Screen, MarksAreExplainedWhereTheyAreShownAndDigitsStayBelowEachOther) {
  EXPECT_EQ(at_width(marked(), 0),
            "gpu        step    90 % low\n"
            "v100  54.5 ms *  >= 2.00 ms\n"
            "t4    12.4 ms       10.0 ms\n"
            "* : outside\n"
            ">= : at least\n");
  EXPECT_EQ(at_width(marked(), 16),
            "gpu        step\n"
            "v100  54.5 ms *\n"
            "t4    12.4 ms\n"
            "* : outside\n"
            "Not shown at\n"
            "  this width: 90\n"
            "  % low.\n");
}

TEST(Screen, ChosenColumnsKeepTheirMarksAndNoOthers) {
  const Result result{.schema = "sextant.x/1", .sections = {{.key = "x", .table = marked()}}};
  const Table steps = with_columns(result, {"step"}).sections.at(0).table;
  EXPECT_EQ(at_width(steps, 80), "     step\n54.5 ms *\n12.4 ms\n* : outside\n");
  const Table names = with_columns(result, {"gpu"}).sections.at(0).table;
  EXPECT_EQ(at_width(names, 80), "gpu\nv100\nt4\n");
  std::ostringstream markdown;
  render_markdown(markdown, names);
  EXPECT_EQ(markdown.str(), "| gpu |\n|---|\n| v100 |\n| t4 |\n");
}

// Widths by the standard's annex 11: W and F take two columns, N and A one.
TEST(DisplayWidth, IsThatOfATerminal) {
  EXPECT_EQ(display_width("µs…"), 3U);
  EXPECT_EQ(display_width("größe"), 5U);
  EXPECT_EQ(display_width("gro\u0308ße"), 5U) << "an accent of its own stands on the letter before it";
  EXPECT_EQ(display_width("网络"), 4U);
  EXPECT_EQ(display_width("ネット"), 6U);
  EXPECT_EQ(display_width("네트"), 4U);
  EXPECT_EQ(display_width("\uFF21"), 2U) << "fullwidth A";
  EXPECT_EQ(display_width("\U0001F680"), 2U) << "a picture";
  EXPECT_EQ(display_width("\U00020000"), 2U) << "an ideograph beyond the first plane";
  EXPECT_EQ(display_width("\xff\xfe"), 2U) << "bytes that are no text";
}

TEST(DisplayWidth, LettersOfTwoColumnsAreNotCutInHalf) {
  EXPECT_EQ(within_columns("网络", 3), "网");
  EXPECT_EQ(within_columns("网络", 4), "网络");
  EXPECT_EQ(within_columns("ab", 1), "a");
  EXPECT_EQ(wrapped("网络网络", {.width = 5, .break_words = true}),
            (std::vector<std::string>{"网络", "网络"}));
}

TEST(Screen, ColumnsOfWideLettersAreAligned) {
  Table table;
  table.columns = {{"net", "net", identity}, {"n", "n", essential}};
  table.rows = {{"größe-网络", std::int64_t{7}}, {"resnet50", std::int64_t{10}}};
  EXPECT_EQ(at_width(table, 80), "net          n\ngröße-网络   7\nresnet50    10\n");
}

}  // namespace
}  // namespace sextant::report
