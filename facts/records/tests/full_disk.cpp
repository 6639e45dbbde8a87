// A disk that is full, played by a limit on the size of files: the write fails with EFBIG.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <filesystem>

#include "child.h"
#include "samples.h"
#include "sextant/core/error.h"
#include "sextant/records/record_store.h"
#include "temp_folder.h"

namespace sextant::records {
namespace {

constexpr rlim_t kLimit = 256 * 1024;

// Ids that were acknowledged, one per line, then the error.
std::string append_until_full(const std::string& path) {
  std::signal(SIGXFSZ, SIG_IGN);
  const rlimit limit{kLimit, kLimit};
  setrlimit(RLIMIT_FSIZE, &limit);
  std::string said;
  auto store = RecordStore::open(path, {StoreMode::read_write});
  try {
    for (int i = 0; i < 1000; ++i) {
      Record record = test::sample(i);
      record.fields.push_back({"log", std::string(2000, 'x')});
      store.append(record);
      said += record.id + "\n";
    }
  } catch (const SystemError& error) {
    said += error.what();
  }
  return said;
}

TEST(FullDisk, IsReportedAndLosesNothing) {
  const test::TempFolder folder;
  const std::string path = folder.file("r.db");
  test::Child child([&] { return append_until_full(path); });
  const std::string said = child.result();
  EXPECT_THAT(said, testing::HasSubstr(path + ": reading or writing failed: "));
  EXPECT_THAT(said, testing::HasSubstr("is the disk full, or the folder on a network?"));

  auto store = RecordStore::open(path, {StoreMode::read_write});
  EXPECT_TRUE(store.faults().empty());
  const auto found = store.read();
  EXPECT_GT(found.size(), 4U);
  std::string ids;
  for (const auto& record : found) ids += record.id + "\n";
  EXPECT_THAT(said, testing::StartsWith(ids)) << "exactly the acknowledged ones";
  EXPECT_EQ(store.append(test::sample(1)), (AppendReport{1, 0})) << "once there is room again";
}

TEST(FullDisk, LeavesNoEmptyFile) {
  const test::TempFolder folder;
  const std::string path = folder.file("new.db");
  test::Child child([&] {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit nothing{0, 0};
    setrlimit(RLIMIT_FSIZE, &nothing);
    try {
      (void)RecordStore::open(path, {StoreMode::read_write});
    } catch (const SystemError&) {
      return std::string(std::filesystem::exists(path) ? "there" : "gone");
    }
    return std::string("no error");
  });
  EXPECT_EQ(child.result(), "gone");
}

}  // namespace
}  // namespace sextant::records
