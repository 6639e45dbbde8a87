// Stores that cannot be used, and servers that go away.
#include <gmock/gmock.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "error_of.h"
#include "sextant/records/sqlite.h"
#include "small_study.h"
#include "study_stores.h"

namespace sextant::study {
namespace {

using sextant::test::error_of;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

std::string system_problem(const std::string& location, const StudyStoreOptions& options = {}) {
  try {
    (void)open_study_store(location, options);
  } catch (const SystemError& error) {
    return error.what();
  }
  return "no error";
}

std::string input_problem(const std::string& location, const StudyStoreOptions& options = {}) {
  return error_of([&] { (void)open_study_store(location, options); });
}

TEST(StoreErrors, FilesThatAreNone) {
  const TemporaryFolder folder;
  const std::string text = (folder.path() / "text").string();
  std::ofstream(text) << std::string(5000, 'x');
  EXPECT_THAT(input_problem(text), HasSubstr("is not a store of studies"));
  EXPECT_THAT(input_problem(folder.path().string()), HasSubstr("is a folder"));
  EXPECT_THAT(input_problem((folder.path() / "no/where").string()), HasSubstr("its folder does not exist"));
  EXPECT_THAT(input_problem((folder.path() / "none").string(), {.create = false}), HasSubstr("no such file"));
  EXPECT_THAT(input_problem("mysql://host/db"), HasSubstr("is no address of a store"));
  EXPECT_THAT(input_problem(""), HasSubstr("no store was named"));
  const std::string words = input_problem("host=127.0.0.1 dbname=studies password=sesame");
  EXPECT_THAT(words, HasSubstr("'host=127.0.0.1 dbname=studies password=***' is no address of a store"));
  EXPECT_FALSE(std::filesystem::exists("host=127.0.0.1 dbname=studies password=sesame"));
}

// /dev/full takes nothing; a small file system would be the same.
TEST(StoreErrors, ADiskThatIsFullIsSaidSo) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can mount a small file system";
  const TemporaryFolder folder;
  const std::string mount = "mount -t tmpfs -o size=64k none " + folder.path().string() + " 2> /dev/null";
  if (std::system(mount.c_str()) != 0) GTEST_SKIP() << "file systems cannot be mounted here";
  std::string said;
  try {
    const auto store = open_study_store((folder.path() / "s.sqlite").string());
    store->open_study({.name = "s", .text = "", .identity = ""});
    for (int i = 0; i < 1000; ++i) {
      (void)store->claim("me", [](const std::vector<StoredTrial>&) {
        StoredTrial trial;
        trial.levels = {std::string(1000, 'x')};
        return std::optional(trial);
      });
    }
  } catch (const SystemError& error) {
    said = error.what();
  }
  (void)std::system(("umount " + folder.path().string()).c_str());
  EXPECT_THAT(said, HasSubstr("the disk is full"));
}

// A store that takes no more is noticed before the trial runs, not after.
TEST(StoreErrors, NoTrialRunsWhoseResultCouldNotBeKept) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can mount a small file system";
  const TemporaryFolder folder;
  const TemporaryFolder small;
  const std::string mount = "mount -t tmpfs -o size=128k none " + small.path().string() + " 2> /dev/null";
  if (std::system(mount.c_str()) != 0) GTEST_SKIP() << "file systems cannot be mounted here";
  const StudySpec spec = test::study_of(folder, "strategy = \"random\"",
                                        "[budget]\ntrials = 3\n[evaluator]\nrun = \"touch ran\"\n");
  std::string said;
  try {
    const auto store = open_study_store((small.path() / "s.sqlite").string());
    store->open_study({spec.name, spec.text, study_identity(spec)});
    (void)std::system(("cat /dev/zero > " + (small.path() / "filler").string() + " 2> /dev/null").c_str());
    NoProgress progress;
    (void)run_study(spec, *store, test::options_in(folder), progress);
  } catch (const SystemError& error) {
    said = error.what();
  }
  (void)std::system(("umount " + small.path().string()).c_str());
  EXPECT_THAT(said, HasSubstr("the disk is full"));
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "ran"));
}

// Whatever stands in a row, the message names the file, the trial and what to do.
TEST(StoreErrors, DamagedRowsAreNamed) {
  for (const std::string damage :
       {"configuration = 'x'", "configuration = '{\"a\": 1}'", "configuration = '[1]'",
        "configuration = '[\"1\"'", "state = 'asleep'", "result = '[]'", "result = '{\"metrics\": 3}'",
        "result = '{\"metrics\": {\"a\": \"b\"}}'", "result = '{\"metrics\": {}, \"cost\": 1e999}'",
        "result = '{\"metrics\": {}, \"message\": []}'", "number = 9"}) {
    const TemporaryFolder folder;
    const std::string file = (folder.path() / "s.sqlite").string();
    const auto store = open_study_store(file);
    store->open_study({.name = "s", .text = "", .identity = ""});
    (void)store->claim("me", [](const std::vector<StoredTrial>&) {
      StoredTrial trial;
      trial.levels = {"1"};
      return std::optional(trial);
    });
    records::Database(file, records::OpenHow::existing, std::chrono::seconds(1))
        .execute("UPDATE trial SET " + damage);
    const std::string said = error_of([&] {
      const auto again = open_study_store(file, {.create = false});
      again->open_study({.name = "s", .text = "", .identity = ""});
      (void)again->trials();
    });
    EXPECT_THAT(said, testing::AllOf(HasSubstr(file), HasSubstr("rial "), HasSubstr("hint: "))) << damage;
    EXPECT_THAT(said, Not(HasSubstr("json.exception"))) << damage;
  }
}

TEST(StoreErrors, AStoreWithoutItsTablesIsNamed) {
  const TemporaryFolder folder;
  const std::string file = (folder.path() / "s.sqlite").string();
  (void)open_study_store(file);
  records::Database(file, records::OpenHow::existing, std::chrono::seconds(1)).execute("DROP TABLE trial");
  const std::string said = input_problem(file);
  EXPECT_THAT(said, testing::AllOf(HasSubstr(file), HasSubstr("trial"), HasSubstr("hint: ")));
}

class PostgresErrors : public testing::Test {
 protected:
  static void TearDownTestSuite() { shared().reset(); }
  static std::unique_ptr<test::PostgresServer>& shared() {
    static std::unique_ptr<test::PostgresServer> server;
    return server;
  }
  void SetUp() override {
    const std::string obstacle = test::PostgresServer::obstacle();
    if (!obstacle.empty()) GTEST_SKIP() << obstacle;
    if (!shared()) shared() = std::make_unique<test::PostgresServer>();
    if (!shared()->ready()) shared()->start();
    ASSERT_TRUE(shared()->ready()) << shared()->logs();
    server_ = shared().get();
  }
  test::PostgresServer* server_ = nullptr;
};

TEST_F(PostgresErrors, AddressesAndPasswords) {
  const std::string wrong = input_problem(server_->url("one", "guess"));
  EXPECT_THAT(wrong, HasSubstr("wrong user or password"));
  EXPECT_THAT(wrong, Not(HasSubstr("guess")));
  // libpq takes a part of a password with '@' or '/' in it for the host or the port, and says so.
  for (const std::string password : {"gu@zzz", "gu/zzz", "gu:zzz"}) {
    const std::string url = server_->url("one", password);
    std::string said;
    try {
      (void)open_study_store(url);
    } catch (const std::exception& error) {  // of input or of the system, by what libpq makes of it
      said = error.what();
    }
    EXPECT_THAT(said, testing::AllOf(Not(HasSubstr("zzz")), HasSubstr("***"))) << password;
  }
  std::string none = server_->url("one");
  const std::size_t colon = none.find(":sesame");
  EXPECT_THAT(input_problem(none.erase(colon, 7)), HasSubstr("wants a password"));
  std::string missing = server_->url("one");
  EXPECT_THAT(input_problem(missing.replace(missing.rfind("/one"), 4, "/two")), HasSubstr("does not exist"));
  EXPECT_THAT(system_problem("postgresql://127.0.0.1:1/x"), HasSubstr("no connection"));
}

TEST_F(PostgresErrors, ALayoutOfALaterProgramIsRefused) {
  const std::string url = server_->url("later");
  (void)open_study_store(url);
  server_->ask("later", "UPDATE sextant_layout SET version = 99");
  EXPECT_THAT(input_problem(url), HasSubstr("has layout 99"));
}

TEST_F(PostgresErrors, AUserWhoMayNotWriteIsTold) {
  const std::string url = server_->url("ro");
  (void)open_study_store(url);
  server_->ask("ro", "ALTER ROLE sextant SET default_transaction_read_only = on");
  const auto store = open_study_store(url);
  try {
    store->open_study({.name = "s", .text = "", .identity = ""});
    ADD_FAILURE() << "written";
  } catch (const SystemError& error) {
    EXPECT_THAT(error.what(), HasSubstr("may not be written"));
  }
  server_->ask("ro", "BEGIN READ WRITE; ALTER ROLE sextant RESET default_transaction_read_only; COMMIT");
}

// A study whose trials leave a file behind when they start, so that a test knows when it runs.
std::string study_that_marks(const std::filesystem::path& mark) {
  return "[budget]\ntrials = 40\n[evaluator]\nshell = true\nrun = \"touch '" + mark.string() +
         "'; sleep 0.02; echo loss {x}\"\n";
}

// Whether a trial starts from now on, within half a minute.
bool a_trial_starts(const std::filesystem::path& mark) {
  std::filesystem::remove(mark);
  for (int i = 0; i < 1500 && !std::filesystem::exists(mark); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  return std::filesystem::exists(mark);
}

// The server crashes twice and comes back while a study runs: the study waits, and loses nothing.
TEST_F(PostgresErrors, AServerThatComesBackIsWaitedFor) {
  const TemporaryFolder folder;
  const std::string url = server_->url("back");
  const std::filesystem::path mark = folder.path() / "started";
  const StudySpec spec = test::study_of(folder, "strategy = \"random\"", study_that_marks(mark));
  std::string error;
  StudyOutcome outcome;
  std::thread study([&] {
    try {
      const auto store = open_study_store(url, {.claim_lasts = std::chrono::seconds(2)});
      NoProgress progress;
      outcome = run_study(spec, *store, test::options_in(folder), progress);
    } catch (const std::exception& thrown) {
      error = thrown.what();
    }
  });
  for (int i = 0; i < 2; ++i) {
    EXPECT_TRUE(a_trial_starts(mark));
    server_->stop();
    server_->start();
  }
  study.join();
  EXPECT_EQ(error, "");
  ASSERT_THAT(outcome.trials, SizeIs(40));
  for (const StoredTrial& trial : outcome.trials)
    EXPECT_EQ(trial.outcome.state, explore::TrialState::completed);
}

TEST_F(PostgresErrors, AServerThatStaysAwayEndsTheStudy) {
  const auto store = open_study_store(server_->url("gone"), {.patience = std::chrono::milliseconds(300)});
  store->open_study({.name = "s", .text = "", .identity = ""});
  server_->stop();
  EXPECT_THROW((void)store->trials(), SystemError);
}

}  // namespace
}  // namespace sextant::study
