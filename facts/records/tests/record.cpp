#include "sextant/records/record.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>

#include "samples.h"

namespace sextant::records {
namespace {

using test::sample;
using testing::HasSubstr;

std::string problem(const Record& record) {
  try {
    check_record(record, {"here", 3, 4});
  } catch (const InputError& error) {
    EXPECT_EQ(error.where().line, 3);
    return error.message();
  }
  return "none";
}

Record with_field(const Field& field) {
  Record record = sample(1);
  record.fields.push_back(field);
  return record;
}

TEST(Record, IdsAreHexadecimalAndDistinct) {
  std::set<std::string> ids;
  for (int i = 0; i < 1000; ++i) ids.insert(new_record_id());
  EXPECT_EQ(ids.size(), 1000U);
  for (const auto& id : ids) EXPECT_TRUE(is_record_id(id)) << id;
}

TEST(Record, OnlyThirtyTwoLowerCaseDigitsAreAnId) {
  EXPECT_TRUE(is_record_id("0123456789abcdef0123456789abcdef"));
  EXPECT_FALSE(is_record_id("0123456789abcdef0123456789abcde"));
  EXPECT_FALSE(is_record_id("0123456789abcdef0123456789abcdeff"));
  EXPECT_FALSE(is_record_id("0123456789ABCDEF0123456789abcdef"));
  EXPECT_FALSE(is_record_id(""));
}

TEST(Record, SampleIsFine) {
  EXPECT_EQ(problem(sample(1)), "none");
}

TEST(Record, NumbersMustBeFinite) {
  EXPECT_THAT(problem(sample(std::nan(""))), HasSubstr("'seconds' is nan"));
  EXPECT_THAT(problem(sample(std::numeric_limits<double>::infinity())), HasSubstr("'seconds' is inf"));
}

TEST(Record, NamesAreCheckedSoThatCsvCanHoldThem) {
  EXPECT_THAT(problem(with_field({"", 1.0})), HasSubstr("has no name"));
  EXPECT_THAT(problem(with_field({"net", 1.0})), HasSubstr("stands twice"));
  EXPECT_THAT(problem(with_field({" x", 1.0})), HasSubstr("blank"));
  EXPECT_THAT(problem(with_field({"id", 1.0})), HasSubstr("reserved"));
  EXPECT_THAT(problem(with_field({"kind", 1.0})), HasSubstr("reserved"));
  EXPECT_THAT(problem(with_field({"provenance.x", 1.0})), HasSubstr("reserved"));
}

TEST(Record, TextMustBeUtf8WithoutNul) {
  EXPECT_EQ(problem(with_field({"größe", "µs"})), "none");
  EXPECT_THAT(problem(with_field({"x", "\xff"})), HasSubstr("'x' is not UTF-8"));
  EXPECT_THAT(problem(with_field({"x", std::string("a\0b", 3)})), HasSubstr("NUL"));
  EXPECT_THAT(problem(with_field({"\xc0\xaf", 1.0})), HasSubstr("not UTF-8"));
  Record record = sample(1);
  record.provenance.command = "\x80";
  EXPECT_THAT(problem(record), HasSubstr("provenance"));
}

TEST(Record, KindIdAndFieldsAreRequired) {
  Record no_kind = sample(1);
  no_kind.kind = " ";
  EXPECT_THAT(problem(no_kind), HasSubstr("has no kind"));
  Record no_fields = sample(1);
  no_fields.fields.clear();
  EXPECT_THAT(problem(no_fields), HasSubstr("has no fields"));
  Record no_id = sample(1);
  no_id.id = "7";
  EXPECT_THAT(problem(no_id), HasSubstr("32"));
}

TEST(Record, FieldsAreReadByName) {
  const Record record = with_field({"flops", "12345678901234567891"});
  EXPECT_EQ(text_field(record, "seconds"), "1");
  EXPECT_EQ(text_field(record, "net"), "resnet-50");
  EXPECT_EQ(text_field(record, "nowhere"), std::nullopt);
}

TEST(Record, SameMeasurementIgnoresOrderAndProvenance) {
  const Record record = sample(1);
  Record turned = record;
  std::swap(turned.fields[0], turned.fields[1]);
  turned.provenance.date = "2025";
  EXPECT_TRUE(same_measurement(record, turned));
  turned.fields[0].value = 1.5;
  EXPECT_FALSE(same_measurement(record, turned));
}

}  // namespace
}  // namespace sextant::records
