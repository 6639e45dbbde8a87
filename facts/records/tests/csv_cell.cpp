#include "csv_cell.h"

#include <gtest/gtest.h>

namespace sextant::records {
namespace {

struct Case {
  const char* cell;
  FieldValue value;
};

class CellValue : public testing::TestWithParam<Case> {};

TEST_P(CellValue, IsRead) {
  EXPECT_EQ(value_of(GetParam().cell), GetParam().value);
}

INSTANTIATE_TEST_SUITE_P(CsvCell, CellValue,
                         testing::Values(Case{"1.5", 1.5}, Case{" 2e-3 ", 0.002}, Case{"-0", -0.0},
                                         Case{"0", 0.0}, Case{"+4", 4.0}, Case{"0.5", 0.5},
                                         Case{"-0.5", -0.5},
                                         // Leading zeros and digits beyond 2^53 would be lost in a number.
                                         Case{"007", "007"}, Case{"-01", "-01"}, Case{"00", "00"},
                                         Case{"9007199254740993", "9007199254740993"},
                                         Case{"9007199254740992", 9007199254740992.0},
                                         Case{"9007199254740994", 9007199254740994.0},
                                         Case{"-9007199254740993", "-9007199254740993"},
                                         // Not finite, or no number.
                                         Case{"inf", "inf"}, Case{"nan", "nan"}, Case{"1e999", "1e999"},
                                         Case{"0x10", "0x10"}, Case{"1,5", "1,5"}, Case{"v100", "v100"},
                                         // The apostrophe goes only where it protects something.
                                         Case{"'5", "5"}, Case{"''5", "'5"}, Case{"'", ""}, Case{"' ", " "},
                                         Case{"'tis", "'tis"}, Case{"'007", "'007"}));

TEST(CsvCell, BlankIsAbsent) {
  EXPECT_EQ(value_of(""), std::nullopt);
  EXPECT_EQ(value_of(" \t"), std::nullopt);
}

TEST(CsvCell, EveryTextComesBack) {
  for (const char* text : {"",
                           " ",
                           "'",
                           "''",
                           "5",
                           " 5",
                           "'5",
                           "''5",
                           "1e5",
                           "007",
                           "'007",
                           "tis",
                           "'tis",
                           "nan",
                           "-1.5",
                           "+2",
                           "12345678901234567891",
                           "a,b",
                           "line\nbreak",
                           "\r\n",
                           "\"q\""}) {
    EXPECT_EQ(value_of(cell_of(text)), FieldValue(text)) << "cell: " << cell_of(text);
  }
}

TEST(CsvCell, EveryNumberComesBack) {
  for (const double number :
       {0.0, 0.1, 1e22, 1e23, 0x1p63, 123456789012345680.0, -1.7976931348623157e308, 5e-324}) {
    EXPECT_EQ(value_of(cell_of(number)), FieldValue(number)) << "cell: " << cell_of(number);
  }
}

}  // namespace
}  // namespace sextant::records
