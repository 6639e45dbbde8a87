#include "sextant/records/record_csv.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <sstream>

#include "samples.h"
#include "sextant/core/error.h"
#include "sextant/core/rng.h"
#include "sextant/records/record_store.h"

namespace sextant::records {
namespace {

using testing::HasSubstr;

const char* const kIdOne = "00000000000000000000000000000001";
const char* const kIdTwo = "00000000000000000000000000000002";

std::string written(std::span<const Record> records, CsvProvenance provenance = CsvProvenance::written) {
  std::ostringstream out;
  write_records_csv(out, records, provenance);
  return out.str();
}

std::vector<Record> from(const std::string& csv, const CsvDefaults& defaults = {"step", {}}) {
  return read_records_csv(CsvTable::parse(csv, "in.csv"), defaults);
}

std::string csv_problem(const std::string& csv, const CsvDefaults& defaults = {"step", {}}) {
  try {
    from(csv, defaults);
  } catch (const InputError& error) {
    return error.what();
  }
  return "none";
}

std::vector<std::string> ids(const std::string& csv) {
  std::vector<std::string> found;
  for (const auto& record : from(csv)) found.push_back(record.id);
  return found;
}

std::vector<Record> two_records() {
  const Provenance none;
  return {{kIdOne, "step", {{"net", "a,b"}, {"s", 0.5}}, test::sample_provenance()},
          {kIdTwo, "step", {{"gpus", 8.0}, {"net", "1e5"}}, none}};
}

TEST(RecordCsv, ColumnsAreTheUnionOfFieldsInOrderOfAppearance) {
  EXPECT_EQ(
      written(two_records()),
      "id,kind,net,s,gpus,provenance.tool_version,provenance.date,provenance.host,provenance.command,"
      "provenance.seed,provenance.inputs\n"
      "00000000000000000000000000000001,step,\"a,b\",0.5,,1.2.3,2024-05-01T10:00:00Z,node-7,sextant measure,"
      "18446744073709551615,\"[{\"\"name\"\":\"\"a.csv\"\",\"\"sha256\"\":\"\"00ff\"\"}]\"\n"
      "00000000000000000000000000000002,step,'1e5,,8,,,,,0,[]\n");
}

TEST(RecordCsv, WithoutProvenanceNothingThatVariesIsLeft) {
  EXPECT_EQ(written(two_records(), CsvProvenance::left_out),
            "kind,net,s,gpus\nstep,\"a,b\",0.5,\nstep,'1e5,,8\n");
}

TEST(RecordCsv, NoRecordsAreAHeader) {
  EXPECT_EQ(written({}, CsvProvenance::left_out), "kind\n");
  EXPECT_TRUE(from("kind\n").empty());
}

std::string random_text(Rng& rng) {
  static constexpr std::array<const char*, 14> kPieces{"'", " ",  "5",  "0",  "e", ".", "-",
                                                       ",", "\"", "\n", "\r", "é", "x", "inf"};
  std::string text;
  for (auto length = rng.below(6); length > 0; --length) text += kPieces[rng.below(kPieces.size())];
  return text;
}

Record random_record(Rng& rng) {
  Record record = new_record("k", {{"always", "x"}}, test::sample_provenance());
  record.provenance.command = random_text(rng);
  record.provenance.inputs = {{random_text(rng), random_text(rng)}};
  const auto first = rng.below(6);
  for (std::uint64_t i = 0; i < 4; ++i) {
    const std::string name = "f" + std::to_string((first + 5 * i) % 6);
    const auto number = std::bit_cast<double>(rng.bits());
    if (std::isfinite(number) && rng.uniform() < 0.5) {
      record.fields.push_back({name, number});
    } else {
      record.fields.push_back({name, random_text(rng)});
    }
  }
  return record;
}

// The laws: what is written reads back as the same records, and writes the same bytes again.
TEST(RecordCsv, ExportThenImportIsTheIdentity) {
  Rng rng = Rng(7).stream("records-csv");
  for (int round = 0; round < 200; ++round) {
    std::vector<Record> given;
    for (int i = 0; i < 10; ++i) given.push_back(random_record(rng));
    const std::string text = written(given);
    const auto found = from(text);
    ASSERT_EQ(found.size(), given.size());
    for (std::size_t i = 0; i < given.size(); ++i) {
      ASSERT_TRUE(same_measurement(given[i], found[i])) << text;
      ASSERT_TRUE(test::same_provenance(given[i].provenance, found[i].provenance)) << text;
    }
    ASSERT_EQ(written(found), text);
  }
}

TEST(RecordCsv, ImportingAnExportIntoItsOwnStoreAddsNothing) {
  auto store = RecordStore::open(":memory:", {StoreMode::read_write});
  store.append(two_records());
  EXPECT_EQ(store.append(from(written(store.read()))), (AppendReport{0, 2}));
}

TEST(RecordCsv, AnyTableCanBeImportedOnce) {
  auto store = RecordStore::open(":memory:", {StoreMode::read_write});
  const std::string csv = "net,gpu,seconds\nresnet,007,1.5\nvgg,,2\nvgg,,2\n";
  const CsvDefaults may{"operator", {"1", "2024-05-01", "h", "import", 3, {}}};
  const CsvDefaults june{"operator", {"1", "2024-06-01", "h", "import", 3, {}}};
  EXPECT_EQ(store.append(from(csv, may)), (AppendReport{3, 0})) << "equal rows are two measurements";
  EXPECT_EQ(store.append(from(csv, june)), (AppendReport{0, 3}));
  const auto found = store.read();
  EXPECT_EQ(found[0].kind, "operator");
  EXPECT_EQ(found[0].provenance.date, "2024-05-01");
  EXPECT_EQ(found[0].fields, (std::vector<Field>{{"net", "resnet"}, {"gpu", "007"}, {"seconds", 1.5}}));
  EXPECT_EQ(found[1].fields, (std::vector<Field>{{"net", "vgg"}, {"seconds", 2.0}}));
}

TEST(RecordCsv, DerivedIdsFollowFromTheRowAndItsEqualsAboveIt) {
  const auto short_file = ids("x\n1\n2\n");
  const auto grown = ids("x\n1\n2\n3\n");
  EXPECT_TRUE(std::ranges::equal(short_file, std::span(grown).first(2)));
  EXPECT_EQ(ids("x\n1\n2\n")[1], ids("x\n0\n2\n")[1]) << "other rows above it";
  const auto twice = ids("x\n2\n1\n2\n");
  EXPECT_NE(twice[0], twice[2]) << "equal rows are two measurements";
  EXPECT_EQ(twice[0], short_file[1]);
  EXPECT_NE(ids("x\n1\n")[0], ids("y\n1\n")[0]) << "another column";
  EXPECT_NE(ids("x\n1\n")[0], ids("x\n'1\n")[0]) << "text, not number";
  EXPECT_EQ(ids("x\n1000\n")[0], ids("x\r\n1e3\r\n")[0]) << "the same value";
  EXPECT_NE(ids("kind,x\na,1\n")[0], ids("kind,x\nb,1\n")[0]) << "another kind";
  EXPECT_NE(ids("a,b\n12,3\n")[0], ids("a,b\n1,23\n")[0]);
}

TEST(RecordCsv, SpellingsThatNameSomethingAreKept) {
  const auto found = from("torch,batch,seconds\n1.10,32,0.50\n");
  EXPECT_EQ(written(found, CsvProvenance::left_out), "kind,torch,batch,seconds\nstep,1.10,32,0.50\n");
}

TEST(RecordCsv, KindComesFromTheRowThenFromTheDefault) {
  const auto found = from("kind,x\na,1\n,2\n");
  EXPECT_EQ(found[0].kind, "a");
  EXPECT_EQ(found[1].kind, "step");
}

TEST(RecordCsv, BlankRowsAreSkipped) {
  EXPECT_EQ(from("a,b\n1,2\n,\n \t,\n3,\n").size(), 2U);
}

TEST(RecordCsv, ErrorsPointAtTheCell) {
  EXPECT_THAT(csv_problem("x,id\n1,1\n"), HasSubstr("in.csv:2:3: error: '1' is not a record's id"));
  EXPECT_THAT(csv_problem("x\n1\n2\n", {}), HasSubstr("in.csv:2:1: error: the record has no kind"));
  EXPECT_THAT(csv_problem("x,provenance.dat\n1,2\n"),
              HasSubstr("in.csv:1:3: error: unknown column 'provenance.dat'"));
  EXPECT_THAT(csv_problem("x,provenance.dat\n1,2\n"), HasSubstr("did you mean 'provenance.date'?"));
  EXPECT_THAT(csv_problem("x,provenance.seed\n1,-2\n"), HasSubstr("in.csv:2:3: error: '-2' is not a seed"));
  EXPECT_THAT(csv_problem("x,provenance.seed\n1,18446744073709551616\n"), HasSubstr("is not a seed"));
  EXPECT_THAT(csv_problem("x,provenance.inputs\n1,[1]\n"), HasSubstr("in.csv:2:3: error: "));
  EXPECT_THAT(csv_problem("x,provenance.inputs\n1,no\n"), HasSubstr("in.csv:2:3: error: "));
  EXPECT_THAT(csv_problem("x\n1\n\xe9t\xe9\n"), HasSubstr("in.csv:3:1: error: field 'x' is not UTF-8"));
  EXPECT_THAT(csv_problem("kind,x\na,\n"), HasSubstr("in.csv:2:1: error: the record has no fields"));
}

}  // namespace
}  // namespace sextant::records
