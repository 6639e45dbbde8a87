// Two processes that write at once, from the creation of the file on.
#include <gtest/gtest.h>

#include <cstdio>
#include <memory>
#include <set>

#include "child.h"
#include "samples.h"
#include "sextant/records/record_store.h"
#include "temp_folder.h"

namespace sextant::records {
namespace {

using test::Child;
using test::sample;

constexpr int kEach = 500;

// One at a time, as measuring does; every tenth is one that the other writer appends too.
std::string write_each(const std::string& path, const std::vector<Record>& own,
                       const std::vector<Record>& shared) {
  auto store = RecordStore::open(path, {StoreMode::read_write});
  AppendReport sum;
  for (std::size_t i = 0; i < own.size(); ++i) {
    const auto report =
        i % 10 == 0 ? store.append(std::vector{own[i], shared[i / 10]}) : store.append(own[i]);
    sum.added += report.added;
    sum.already_there += report.already_there;
  }
  return std::to_string(sum.added) + " " + std::to_string(sum.already_there);
}

std::vector<Record> samples(int count) {
  std::vector<Record> records;
  for (int i = 0; i < count; ++i) records.push_back(sample(i));
  return records;
}

TEST(Writers, TwoAtOnceNeitherLoseNorDuplicate) {
  const test::TempFolder folder;
  const std::string path = folder.file("r.db");
  const auto first = samples(kEach);
  const auto second = samples(kEach);
  const auto shared = samples(kEach / 10);
  Child one([&] { return write_each(path, first, shared); });
  Child two([&] { return write_each(path, second, shared); });
  long added = 0;
  long already = 0;
  for (Child* child : {&one, &two}) {
    const std::string said = child->result();
    long a = 0;
    long b = 0;
    ASSERT_EQ(std::sscanf(said.c_str(), "%ld %ld", &a, &b), 2) << said;
    added += a;
    already += b;
  }
  EXPECT_EQ(added, 2 * kEach + kEach / 10);
  EXPECT_EQ(already, kEach / 10);

  const auto store = RecordStore::open(path);
  std::set<std::string> found;
  for (const auto& record : store.read()) EXPECT_TRUE(found.insert(record.id).second);
  std::set<std::string> expected;
  for (const auto* list : {&first, &second, &shared}) {
    for (const auto& record : *list) expected.insert(record.id);
  }
  EXPECT_EQ(found, expected);
  EXPECT_TRUE(store.faults().empty());
}

TEST(Writers, ManyMayCreateTheFileAtOnce) {
  const test::TempFolder folder;
  for (int round = 0; round < 10; ++round) {
    const std::string path = folder.file(std::to_string(round) + ".db");
    std::vector<std::unique_ptr<Child>> children;
    for (int i = 0; i < 6; ++i) {
      children.push_back(std::make_unique<Child>([&, i] {
        RecordStore::open(path, {StoreMode::read_write}).append(sample(i));
        return std::string("done");
      }));
    }
    for (auto& child : children) EXPECT_EQ(child->result(), "done");
    EXPECT_EQ(RecordStore::open(path).count(), 6);
  }
}

}  // namespace
}  // namespace sextant::records
