#include "sextant/core/whole_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/file.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <vector>

#include "sextant/core/error.h"
#include "temporary_folder.h"

namespace {

std::vector<std::string> synced;  // "file" or "folder", in their order

}  // namespace

// In place of the C library's, for this program alone: what was synced is known.
extern "C" int fsync(int descriptor) {
  struct stat status {};
  if (fstat(descriptor, &status) == 0) synced.emplace_back(S_ISDIR(status.st_mode) ? "folder" : "file");
  return static_cast<int>(syscall(SYS_fsync, descriptor));
}

namespace sextant {
namespace {

namespace fs = std::filesystem;

class WholeFiles : public testing::Test {
 protected:
  [[nodiscard]] std::string path(const std::string& name) const { return (folder_.path() / name).string(); }
  static void put(const std::string& path, const std::string& text) { std::ofstream(path) << text; }
  static std::string read(const std::string& path) {
    std::ifstream in(path);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  static void write(const std::string& path, const std::string& text) {
    WholeFile file(path);
    file.stream() << text;
    file.commit();
  }
  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const auto& entry : fs::directory_iterator(folder_.path())) all.push_back(entry.path().filename());
    std::ranges::sort(all);
    return all;
  }
  // What the child exits with; 77 is taken for "this machine cannot".
  static int in_child(const std::function<int()>& work) {
    const pid_t child = fork();
    if (child == 0) _exit(work());
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
  }

 private:
  TemporaryFolder folder_;
};

using Names = std::vector<std::string>;

TEST_F(WholeFiles, AppearWithCommitAndNotBefore) {
  put(path("out.csv"), "old");
  {
    WholeFile file(path("out.csv"));
    file.stream() << "half";
    file.stream().flush();
    EXPECT_EQ(read(path("out.csv")), "old");
  }
  EXPECT_EQ(read(path("out.csv")), "old");
  EXPECT_EQ(names(), Names{"out.csv"});
  write(path("out.csv"), "new");
  EXPECT_EQ(read(path("out.csv")), "new");
  EXPECT_EQ(names(), Names{"out.csv"});
}

TEST_F(WholeFiles, AreSyncedAndThenTheirFolder) {
  synced.clear();
  write(path("out.csv"), "text");
  EXPECT_EQ(synced, (Names{"file", "folder"}));
}

TEST_F(WholeFiles, TakePartsAtAnyOffset) {
  WholeFile file(path("out"));
  file.write_at("world", 6);
  file.write_at("hello ", 0);
  file.commit();
  EXPECT_EQ(read(path("out")), "hello world");
}

TEST_F(WholeFiles, FollowALinkAndKeepPermissions) {
  put(path("real.csv"), "old");
  fs::permissions(path("real.csv"), fs::perms(0600));
  fs::create_symlink("real.csv", path("link.csv"));
  write(path("link.csv"), "new");
  EXPECT_EQ(read(path("real.csv")), "new");
  EXPECT_TRUE(fs::is_symlink(path("link.csv")));
  EXPECT_EQ(fs::status(path("real.csv")).permissions(), fs::perms(0600));
}

TEST_F(WholeFiles, MakeTheFileThatALinkNames) {
  fs::create_symlink("later.csv", path("link.csv"));
  write(path("link.csv"), "new");
  EXPECT_TRUE(fs::is_symlink(path("link.csv")));
  EXPECT_EQ(read(path("later.csv")), "new");
}

TEST_F(WholeFiles, RefuseAStrangersLinkWhereAllMayWrite) {
  if (geteuid() != 0) GTEST_SKIP() << "needs the right to give files away";
  constexpr uid_t kStranger = 12345;
  put(path("precious"), "mine");
  fs::create_directory(path("open"));
  fs::create_symlink(path("precious"), path("open/out.csv"));
  ASSERT_EQ(lchown(path("open/out.csv").c_str(), kStranger, kStranger), 0);
  fs::permissions(path("open"), fs::perms(01777));
  EXPECT_THROW(WholeFile(path("open/out.csv")), InputError);
  fs::permissions(path("open"), fs::perms(0755));  // now only whom the folder's owner let in could make it
  write(path("open/out.csv"), "new");
  EXPECT_EQ(read(path("precious")), "new");
}

TEST_F(WholeFiles, LinksInACircleAreAnError) {
  fs::create_symlink("b", path("a"));
  fs::create_symlink("a", path("b"));
  EXPECT_THROW(WholeFile(path("a")), InputError);
}

TEST_F(WholeFiles, CollectWhatKilledWritersLeft) {
  const std::string left = ".out.csv.sextant-0123456789abcdef.part";
  const std::string alive = ".out.csv.sextant-fedcba9876543210.part";
  const Names others = {".other.csv.sextant-0123456789abcdef.part", ".out.csv.sextant-0123.part",
                        "out.csv.1234.part"};
  for (const std::string& name : others) put(path(name), "");
  put(path(left), "half");
  put(path(alive), "half");
  const OpenFile writer(open(path(alive).c_str(), O_RDONLY | O_CLOEXEC));
  ASSERT_EQ(flock(writer.get(), LOCK_EX), 0);
  write(path("out.csv"), "new");
  EXPECT_FALSE(fs::exists(path(left)));
  EXPECT_TRUE(fs::exists(path(alive)));
  for (const std::string& name : others) EXPECT_TRUE(fs::exists(path(name))) << name;
}

TEST_F(WholeFiles, OfAKilledWriterNothingIsLeftAfterTheNext) {
  const auto killed = [&] {
    WholeFile file(path("out.csv"));
    file.stream() << "half" << std::flush;
    return raise(SIGKILL);
  };
  EXPECT_EQ(in_child(killed), 128);
  EXPECT_FALSE(fs::exists(path("out.csv")));
  write(path("out.csv"), "new");
  EXPECT_EQ(names(), Names{"out.csv"});
}

// Without /proc a file without a name could not be given one: then it has one from the start.
TEST_F(WholeFiles, HaveANameFromTheStartWhereTheyCannotGetOneLater) {
  constexpr int kCannot = 77;
  const int code = in_child([&] {
    if (unshare(CLONE_NEWNS) != 0 || mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
        mount("none", "/proc", "tmpfs", 0, nullptr) != 0)
      return kCannot;
    WholeFile file(path("out.csv"));
    const Names during = names();
    if (during.size() != 1 || !during.front().starts_with(".out.csv.sextant-")) return 1;
    { const WholeFile second(path("out.csv")); }  // must not take it for abandoned
    if (names() != during) return 2;
    file.stream() << "new";
    file.commit();
    return names() == Names{"out.csv"} && read(path("out.csv")) == "new" ? 0 : 3;
  });
  if (code == kCannot) GTEST_SKIP() << "needs the right to mount";
  EXPECT_EQ(code, 0);
}

TEST_F(WholeFiles, WriteADeviceInPlace) {
  write("/dev/null", "gone");
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(WholeFiles, AFullDiskIsAnError) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "needs /dev/full";
  WholeFile file("/dev/full");
  file.stream() << std::string(1 << 20, 'x');
  EXPECT_THROW(file.commit(), SystemError);
}

TEST_F(WholeFiles, WhatCannotBeWrittenIsKnownAtOnce) {
  EXPECT_THROW(WholeFile(""), InputError);
  EXPECT_THROW(WholeFile(path("")), InputError);
  EXPECT_THROW(WholeFile(path("no/out.csv")), InputError);
}

}  // namespace
}  // namespace sextant
