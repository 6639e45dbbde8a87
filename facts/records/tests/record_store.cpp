#include "sextant/records/record_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "record_fields.h"
#include "samples.h"
#include "sextant/core/error.h"
#include "sextant/core/rng.h"
#include "sextant/records/sqlite.h"
#include "temp_folder.h"

namespace sextant::records {
namespace {

using test::identical;
using test::sample;
using test::TempFolder;
using testing::HasSubstr;

constexpr StoreOptions kWriteOne{StoreMode::read_write};

Record on_date(const std::string& kind, const std::string& date) {
  Record record = sample(1);
  record.kind = kind;
  record.provenance.date = date;
  return record;
}

TEST(RecordStore, KeepsWhatItIsGivenInOrder) {
  const TempFolder folder;
  const std::vector<Record> given{sample(0.1), sample(-0.0), sample(5e-324)};
  {
    auto store = RecordStore::open(folder.file("r.db"), kWriteOne);
    EXPECT_EQ(store.append(given), (AppendReport{3, 0}));
  }
  const auto store = RecordStore::open(folder.file("r.db"));
  const auto found = store.read();
  ASSERT_EQ(found.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_TRUE(identical(given[i], found[i])) << i;
  EXPECT_TRUE(std::signbit(number_field(found[1], "seconds").value()));
  EXPECT_EQ(store.count(), 3);
  EXPECT_TRUE(store.faults().empty());
}

TEST(RecordStore, EveryFiniteNumberComesBackToTheBit) {
  auto store = RecordStore::open(":memory:", kWriteOne);
  Rng rng = Rng(1).stream("records-numbers");
  std::vector<Record> given;
  while (given.size() < 5000) {
    const auto number = std::bit_cast<double>(rng.bits());
    if (std::isfinite(number)) given.push_back(sample(number));
  }
  store.append(given);
  const auto found = store.read();
  ASSERT_EQ(found.size(), given.size());
  for (std::size_t i = 0; i < given.size(); ++i) {
    EXPECT_EQ(std::bit_cast<std::uint64_t>(std::get<double>(given[i].fields[1].value)),
              std::bit_cast<std::uint64_t>(std::get<double>(found[i].fields[1].value)));
  }
}

TEST(RecordStore, RepeatedAppendAddsNothing) {
  auto store = RecordStore::open(":memory:", kWriteOne);
  const Record first = sample(1);
  const Record second = sample(2);
  EXPECT_EQ(store.append(first), (AppendReport{1, 0}));
  EXPECT_EQ(store.append(std::vector{first, second, second}), (AppendReport{1, 2}));
  EXPECT_EQ(store.count(), 2);
}

TEST(RecordStore, SameIdWithOtherContentsIsAnErrorAndNothingIsAdded) {
  auto store = RecordStore::open(":memory:", kWriteOne);
  Record record = sample(1);
  store.append(record);
  record.fields[1].value = 2.0;
  EXPECT_THROW(store.append(std::vector{sample(7), record}), InputError);
  ASSERT_EQ(store.count(), 1);
  EXPECT_EQ(number_field(store.read()[0], "seconds"), 1.0);
}

TEST(RecordStore, OneBadRecordKeepsTheWholeBatchOut) {
  auto store = RecordStore::open(":memory:", kWriteOne);
  EXPECT_THROW(store.append(std::vector{sample(1), sample(std::nan(""))}), InputError);
  EXPECT_EQ(store.count(), 0);
  EXPECT_EQ(store.append(std::vector<Record>{}), AppendReport{});
}

TEST(RecordStore, FiltersByKindDateAndNumber) {
  auto store = RecordStore::open(":memory:", kWriteOne);
  store.append(std::vector{on_date("a", "2024-01-31T23:59:59Z"), on_date("b", "2024-02-01T00:00:00Z"),
                           on_date("a", "2024-02-02T12:00:00Z"), on_date("a", "")});
  EXPECT_EQ(store.count({.kind = "a"}), 3);
  EXPECT_EQ(store.count({.kind = "nothing"}), 0);
  EXPECT_EQ(store.count({.since = "2024-02"}), 2);
  EXPECT_EQ(store.count({.kind = "a", .since = "2024-02-01"}), 1);
  EXPECT_EQ(store.count({.since = "2024-02-02T12:00:00Z"}), 1);
  EXPECT_EQ(store.count({.limit = 0}), 0);
  const auto first = store.read({.kind = "a", .limit = 1});
  ASSERT_EQ(first.size(), 1U);
  EXPECT_EQ(first[0].provenance.date, "2024-01-31T23:59:59Z");
}

TEST(RecordStore, FilterThatMeansNothingIsAnError) {
  const auto store = RecordStore::open(":memory:", kWriteOne);
  EXPECT_THROW((void)store.count({.since = "yesterday"}), InputError);
  EXPECT_THROW((void)store.count({.since = "2024-02-01T00:00:00Zulu"}), InputError);
  EXPECT_THROW((void)store.count({.limit = -1}), InputError);
}

TEST(RecordStore, ReadingStoreCannotAppend) {
  const TempFolder folder;
  RecordStore::open(folder.file("r.db"), kWriteOne).append(sample(1));
  auto store = RecordStore::open(folder.file("r.db"));
  EXPECT_THROW(store.append(sample(2)), SystemError);
  EXPECT_EQ(store.count(), 1);
}

TEST(RecordStore, ClosedFileStandsAlone) {
  const TempFolder folder;
  RecordStore::open(folder.file("r.db"), kWriteOne).append(sample(1));
  EXPECT_EQ(RecordStore::open(folder.file("r.db")).count(), 1);
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
    names.push_back(entry.path().filename());
  EXPECT_EQ(names, std::vector<std::string>{"r.db"});
}

// Whoever opens the file with another tool meets the same rule.
TEST(RecordStore, SqlCannotChangeOrRemoveARecord) {
  const TempFolder folder;
  const Record record = sample(1);
  RecordStore::open(folder.file("r.db"), kWriteOne).append(record);
  Database direct(folder.file("r.db"), OpenHow::existing, std::chrono::seconds(1));
  EXPECT_THROW(direct.execute("UPDATE records SET kind = 'x'"), InputError);
  EXPECT_THROW(direct.execute("DELETE FROM records"), InputError);
  direct.execute("INSERT OR REPLACE INTO records SELECT seq, id, 'x', fields, provenance FROM records");
  direct.execute("REPLACE INTO records SELECT seq, 'y', 'x', fields, provenance FROM records");
  const auto found = RecordStore::open(folder.file("r.db")).read();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_TRUE(identical(record, found[0]));
}

TEST(RecordStore, WriterThatDoesNotFinishIsNamed) {
  const TempFolder folder;
  auto store = RecordStore::open(folder.file("r.db"), {StoreMode::read_write, std::chrono::milliseconds(5)});
  Database other(folder.file("r.db"), OpenHow::existing, std::chrono::milliseconds(5));
  {
    const Transaction held(other, Lock::write);
    try {
      store.append(sample(1));
      FAIL() << "appended while another writer held the file";
    } catch (const SystemError& error) {
      EXPECT_THAT(error.what(), HasSubstr("r.db: another program is writing"));
    }
    EXPECT_EQ(RecordStore::open(folder.file("r.db")).count(), 0) << "a reader does not wait for a writer";
  }
  EXPECT_EQ(store.append(sample(1)), (AppendReport{1, 0}));
}

}  // namespace
}  // namespace sextant::records
