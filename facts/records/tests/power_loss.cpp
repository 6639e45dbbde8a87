// Power loss at its worst: of what was written, only what was synced is still there. This program
// defines the two sync calls itself, so SQLite's go through here; each copies the file, as it stands
// at that moment, to a second folder: what the disk would hold.
#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <utility>

#include "samples.h"
#include "sextant/records/record_store.h"
#include "temp_folder.h"

namespace fs = std::filesystem;

namespace {

struct Disk;
Disk* watched = nullptr;  // the sync calls have no other way to reach the test

struct Disk {
  Disk(fs::path from, fs::path to) : live(std::move(from)), durable(std::move(to)) { watched = this; }
  ~Disk() { watched = nullptr; }
  Disk(const Disk&) = delete;
  Disk& operator=(const Disk&) = delete;

  fs::path live;
  fs::path durable;
  int syncs = 0;
};

void copy_synced(int fd) {
  if (watched == nullptr) return;
  const fs::path path = fs::read_symlink("/proc/self/fd/" + std::to_string(fd));
  if (path == watched->live) {  // a synced folder makes removals last
    for (const auto& entry : fs::directory_iterator(watched->durable)) {
      if (!fs::exists(watched->live / entry.path().filename())) fs::remove(entry.path());
    }
  } else if (path.parent_path() == watched->live) {
    ++watched->syncs;
    fs::copy_file(path, watched->durable / path.filename(), fs::copy_options::overwrite_existing);
  }
}

}  // namespace

extern "C" int fdatasync(int fd) {
  copy_synced(fd);
  return static_cast<int>(syscall(SYS_fdatasync, fd));
}

extern "C" int fsync(int fd) {
  copy_synced(fd);
  return static_cast<int>(syscall(SYS_fsync, fd));
}

namespace sextant::records {
namespace {

std::int64_t count_after_power_loss(const Disk& disk) {
  const test::TempFolder restarted;
  fs::copy(disk.durable, restarted.path());
  const auto store = RecordStore::open(restarted.file("r.db"));
  EXPECT_TRUE(store.faults().empty());
  return store.count();
}

TEST(PowerLoss, AcknowledgedRecordsAreThere) {
  const test::TempFolder live;
  const test::TempFolder durable;
  const Disk disk(fs::canonical(live.path()), durable.path());
  {
    auto store = RecordStore::open(live.file("r.db"), {StoreMode::read_write});
    for (int i = 1; i <= 60; ++i) {
      Record record = test::sample(i);
      // Large enough that the log is folded back into the file on the way (at 1,000 pages of 4 KiB).
      record.fields.push_back({"log", std::string(100'000, 'x')});
      const int syncs_before = disk.syncs;
      store.append(record);
      EXPECT_GT(disk.syncs, syncs_before);
      ASSERT_EQ(count_after_power_loss(disk), i);
    }
  }
  EXPECT_EQ(count_after_power_loss(disk), 60) << "after closing";
}

}  // namespace
}  // namespace sextant::records
