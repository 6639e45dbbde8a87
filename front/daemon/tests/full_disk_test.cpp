// A disk that is full, played by a limit on the size of files: what was acknowledged is kept, the rest is an
// error with the place, and the books say no more than the disk.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>

#include "changes.h"
#include "child.h"
#include "sextant/core/error.h"
#include "temporary_folder.h"

namespace sextant::daemon {
namespace {

constexpr rlim_t kLimit = 512 * 1024;

JobOrder small_order(int number) {
  JobOrder order;
  order.id = "job-" + std::to_string(number);
  order.command = {std::string(2000, 'x')};
  return order;
}

std::string submit_until_full(const std::string& path) {
  std::signal(SIGXFSZ, SIG_IGN);
  const rlimit limit{kLimit, kLimit};
  ::setrlimit(RLIMIT_FSIZE, &limit);
  Ledger ledger(path, wall_clock);
  int kept = 0;
  try {
    for (; kept < 2000; ++kept) {
      ledger.change([&](Page& page) { submit(page, small_order(kept)); });
    }
  } catch (const SystemError& error) {
    const auto known = ledger.read([](const Books& books) { return books.jobs.size(); });
    return std::to_string(kept) + " kept, " + std::to_string(known) + " known; " + error.what();
  }
  return "never full";
}

TEST(DaemonFullDisk, IsReportedAndLosesNothing) {
  const TemporaryFolder folder;
  const std::string path = (folder.path() / "state.db").string();
  records::test::Child child([&] { return submit_until_full(path); });
  const std::string said = child.result();
  Ledger ledger(path, wall_clock);
  const auto found = ledger.read([](const Books& books) { return books.jobs.size(); });
  EXPECT_GT(found, 10U);
  const std::string count = std::to_string(found);
  EXPECT_THAT(said, testing::StartsWith(count + " kept, " + count + " known; " + path));
  EXPECT_THAT(said, testing::HasSubstr("is the disk full"));
}

}  // namespace
}  // namespace sextant::daemon
