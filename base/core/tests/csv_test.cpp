#include "sextant/core/csv.h"

#include <gtest/gtest.h>

#include <sstream>

#include "error_of.h"

namespace sextant {
namespace {

CsvTable table(const std::string& text) {
  return CsvTable::parse(text, "t.csv");
}

std::string error_of(const std::string& text) {
  return test::error_of([&] { table(text); });
}

TEST(Csv, ReadsQuotedFieldsQuotesAndLineBreaks) {
  const auto t = table("name,note\n\"a,b\",\"say \"\"hi\"\"\"\nplain,\"two\nlines\"\n");
  ASSERT_EQ(t.rows(), 2U);
  EXPECT_EQ(t.text(0, 0), "a,b");
  EXPECT_EQ(t.text(0, 1), "say \"hi\"");
  EXPECT_EQ(t.text(1, 1), "two\nlines");
}

TEST(Csv, ReadsWindowsFilesWithByteOrderMark) {
  const auto t = table("\xEF\xBB\xBFx,y\r\n1,2\r\n\r\n3,4\r\n");
  EXPECT_EQ(t.header(), (std::vector<std::string>{"x", "y"}));
  EXPECT_EQ(t.numbers("y"), (std::vector<double>{2, 4}));
}

TEST(Csv, ALastLineWithoutLineBreakIsARow) {
  EXPECT_EQ(table("x\n1\n2").rows(), 2U);
}

TEST(Csv, EmptyCellsAreNotNumbers) {
  const auto t = table("x,y\n,2\n");
  EXPECT_FALSE(t.maybe_number(0, 0).has_value());
  EXPECT_EQ(t.maybe_number(0, 1), 2.0);
  EXPECT_THROW((void)t.number(0, 0), InputError);
}

TEST(Csv, ErrorsNameLineAndColumn) {
  const auto t = table("x,y\n1,2\n3,four\n");
  try {
    (void)t.numbers("y");
    FAIL() << "expected an InputError";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "t.csv:3:3: error: 'four' is not a finite number in column 'y'");
  }
}

TEST(Csv, PositionsCountLinesInsideQuotes) {
  const auto t = table("x,y\n\"a\nb\",1\nc,bad\n");
  EXPECT_EQ(t.where(1, 1).str(), "t.csv:4:3");
}

TEST(Csv, UnknownColumnSuggestsTheNearest) {
  try {
    (void)table("batch,gpu\n1,2\n").column("bach");
    FAIL() << "expected an InputError";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "t.csv:1:1: error: there is no column 'bach'\n  hint: did you mean 'batch'?");
  }
}

TEST(Csv, RefusesWhatIsNotATable) {
  EXPECT_EQ(error_of(""), "t.csv: error: the file is empty\n  hint: its first line names the columns");
  EXPECT_EQ(error_of(" \n\n"), "t.csv: error: the file is empty\n  hint: its first line names the columns");
  EXPECT_EQ(error_of("a,b\n1\n"), "t.csv:2:1: error: this row has 1 field, and the header has 2");
  EXPECT_EQ(error_of("a,a\n"), "t.csv:1:3: error: column 'a' stands twice");
  EXPECT_EQ(error_of("a,\n"), "t.csv:1:3: error: this column has no name");
  EXPECT_EQ(error_of("a\n\"never closed\n"), "t.csv:2:1: error: this quote is never closed");
  EXPECT_EQ(error_of("a\n\"x\"y\n"), "t.csv:2:4: error: text follows the closing quote");
  EXPECT_EQ(error_of(std::string("a\n\0\n", 4)),
            "t.csv:2:1: error: there is a NUL byte here, so this is not a text file");
}

TEST(Csv, NumbersThatAreNotFiniteAreRefused) {
  const auto t = table("x\nnan\ninf\n-inf\n0x10\n1e400\n");
  for (std::size_t row = 0; row < t.rows(); ++row) EXPECT_THROW((void)t.number(row, 0), InputError) << row;
}

TEST(Csv, IntegersAreWhole) {
  const auto t = table("x\n42\n4.2\n99999999999999999999\n");
  EXPECT_EQ(t.integer(0, 0), 42);
  EXPECT_THROW((void)t.integer(1, 0), InputError);
  EXPECT_THROW((void)t.integer(2, 0), InputError);
}

TEST(Csv, WhatIsWrittenReadsBack) {
  const std::vector<std::string> fields = {"plain", "a,b", "say \"hi\"", "two\nlines", "", " blank "};
  std::ostringstream out;
  write_csv_row(out, std::vector<std::string>{"a", "b", "c", "d", "e", "f"});
  write_csv_row(out, fields);
  const auto t = table(out.str());
  ASSERT_EQ(t.rows(), 1U);
  for (std::size_t c = 0; c < fields.size(); ++c) EXPECT_EQ(t.text(0, c), fields[c]);
}

TEST(Csv, ASingleEmptyFieldIsStillARow) {
  std::ostringstream out;
  write_csv_row(out, std::vector<std::string>{"a"});
  write_csv_row(out, std::vector<std::string>{""});
  EXPECT_EQ(table(out.str()).rows(), 1U);
}

TEST(Csv, MissingFilesAndFoldersAreNamed) {
  EXPECT_THROW(CsvTable::read_file("does-not-exist.csv"), InputError);
  EXPECT_THROW(CsvTable::read_file("."), InputError);
}

TEST(Csv, AsksAboutOtherSeparators) {
  const auto hint_of = [](const std::string& text) {
    try {
      (void)CsvTable::parse(text, "t.csv").column("gpu");
    } catch (const InputError& error) {
      return error.hint();
    }
    return std::string("no error");
  };
  EXPECT_EQ(hint_of("net;gpu\nresnet50;75,5\n").substr(0, 36), "are the fields separated by ';'? Sex");
  EXPECT_EQ(hint_of("net;gpu\nresnet50;75\n").substr(0, 32), "are the fields separated by ';'?");
  EXPECT_EQ(hint_of("net\tgpu\nresnet50\tt4\n").substr(0, 33), "are the fields separated by tabs?");
  EXPECT_EQ(hint_of("net,gpu,a\nresnet50\n"), "") << "it may be a slip in this row alone";
}

}  // namespace
}  // namespace sextant
