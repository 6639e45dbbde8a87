// Folders and files of processes that were killed are collected by the next one; those of the living stay.
#include "sextant/measure/scratch_folder.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

#include "sextant/measure/child_process.h"
#include "sextant/measure/run_folder.h"
#include "temporary_folder.h"

namespace sextant::measure {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.push_back(entry.path().filename().string());
  return names;
}

// A process that made a folder and goes on living until it is killed.
class Maker {
 public:
  explicit Maker(const fs::path& parent) {
    int ends[2];
    EXPECT_EQ(::pipe(ends), 0);
    pid_ = ::fork();
    if (pid_ == 0) {
      const ScratchFolder folder(parent, false);
      const std::string name = folder.path().filename().string();
      if (::write(ends[1], name.data(), name.size()) < 0) ::_exit(1);
      ::close(ends[1]);
      for (;;) ::pause();
    }
    ::close(ends[1]);
    std::string name(256, '\0');
    name.resize(static_cast<std::size_t>(::read(ends[0], name.data(), name.size())));
    name_ = name;
    ::close(ends[0]);
  }
  ~Maker() { kill(); }
  Maker(const Maker&) = delete;
  Maker& operator=(const Maker&) = delete;
  void kill() {
    if (pid_ <= 0) return;
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
    pid_ = 0;
  }
  [[nodiscard]] const std::string& name() const { return name_; }

 private:
  pid_t pid_ = 0;
  std::string name_;
};

TEST(ScratchFolder, OfTheDeadIsRemovedAndOfTheLivingStays) {
  const TemporaryFolder parent;
  Maker dead(parent.path());
  const Maker living(parent.path());
  dead.kill();
  EXPECT_THAT(names_in(parent.path()), UnorderedElementsAre(dead.name(), living.name()));
  {
    const ScratchFolder next(parent.path(), false);
    EXPECT_THAT(names_in(parent.path()),
                UnorderedElementsAre(living.name(), next.path().filename().string()));
  }
  EXPECT_THAT(names_in(parent.path()), ElementsAre(living.name()));
}

TEST(ScratchFolder, KeptOnesAndThoseOfOthersStay) {
  const TemporaryFolder parent;
  std::string kept;
  {
    const ScratchFolder folder(parent.path(), true);
    kept = folder.path().filename().string();
  }
  fs::create_directory(parent.path() / "sextant-run-mine");  // no file says that its maker is dead
  const fs::path elsewhere = parent.path() / "elsewhere";
  fs::create_directory(elsewhere);
  std::ofstream(elsewhere / "owner") << "";
  fs::create_directory_symlink(elsewhere, parent.path() / "sextant-run-link");
  const ScratchFolder next(parent.path(), false);
  EXPECT_THAT(names_in(parent.path()),
              UnorderedElementsAre(kept, "sextant-run-mine", "elsewhere", "sextant-run-link",
                                   next.path().filename().string()));
  EXPECT_TRUE(fs::exists(elsewhere / "owner"));
}

// Whoever is killed while a command runs leaves no file: there is none.
TEST(RunCommand, LeavesNothingWhileItRuns) {
  const TemporaryFolder folder;
  const char* before = std::getenv("TMPDIR");
  const std::string old = before == nullptr ? "" : before;
  ::setenv("TMPDIR", folder.path().c_str(), 1);
  const CommandResult listed = run_command({"ls", "-A", folder.path().string()});
  before == nullptr ? ::unsetenv("TMPDIR") : ::setenv("TMPDIR", old.c_str(), 1);
  EXPECT_EQ(listed.ending, "");
  EXPECT_EQ(listed.output, "");
}

}  // namespace
}  // namespace sextant::measure
