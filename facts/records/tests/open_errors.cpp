// Files that are no files of records: each is refused by name, and left as it was.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "child.h"
#include "samples.h"
#include "sextant/core/csv.h"
#include "sextant/core/error.h"
#include "sextant/records/record_store.h"
#include "sextant/records/sqlite.h"
#include "temp_folder.h"

namespace sextant::records {
namespace {

using test::Child;
using test::sample;
using test::TempFolder;
using testing::HasSubstr;
using testing::StartsWith;

constexpr StoreOptions kWrite{StoreMode::read_write};

std::string problem(const std::string& path, const StoreOptions& options = {}) {
  try {
    RecordStore::open(path, options);
  } catch (const InputError& error) {
    EXPECT_EQ(error.where().file, path);
    return error.message();
  } catch (const SystemError& error) {
    EXPECT_THAT(error.what(), StartsWith(path));
    return std::string("system: ") + error.what();
  }
  return "none";
}

void put(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

std::string store_with(const TempFolder& folder, int records) {
  const std::string path = folder.file("r.db");
  auto store = RecordStore::open(path, kWrite);
  std::vector<Record> batch;
  for (int i = 0; i < records; ++i) batch.push_back(sample(i));
  store.append(batch);
  return path;
}

void run_sql(const std::string& path, const std::string& sql) {
  Database(path, OpenHow::create, std::chrono::seconds(1)).execute(sql);
}

TEST(OpenErrors, PathsThatLeadNowhere) {
  const TempFolder folder;
  put(folder.file("plain"), "text");
  EXPECT_EQ(problem(folder.file("absent.db")), "there is no such file");
  EXPECT_EQ(problem(folder.file("absent/r.db"), kWrite), "its folder does not exist");
  EXPECT_EQ(problem(folder.file("plain/r.db"), kWrite), "there is no such file");
  EXPECT_THAT(problem(folder.path().string()), HasSubstr("is a folder"));
  EXPECT_THAT(problem(folder.path().string(), kWrite), HasSubstr("is a folder"));
  EXPECT_THROW(RecordStore::open(""), InputError);
  EXPECT_THAT(problem("postgresql://host/db"), HasSubstr("server"));
}

TEST(OpenErrors, BytesThatAreNoDatabase) {
  const TempFolder folder;
  const std::string path = folder.file("notes.txt");
  const std::string bytes = "kind,seconds\ntraining-step,1\n" + std::string(2000, 'x');
  put(path, bytes);
  EXPECT_THAT(problem(path), HasSubstr("not a file of records"));
  EXPECT_THAT(problem(path, kWrite), HasSubstr("not a file of records"));
  EXPECT_EQ(read_text_file(path), bytes);
}

TEST(OpenErrors, EmptyFileBecomesAStoreOnlyForAWriter) {
  const TempFolder folder;
  put(folder.file("r.db"), "");
  EXPECT_THAT(problem(folder.file("r.db")), HasSubstr("is empty"));
  EXPECT_EQ(problem(folder.file("r.db"), kWrite), "none");
  EXPECT_EQ(problem(folder.file("r.db")), "none");
}

// A cut page is refused when the file is opened; a cut inside the last page, where a crash that the
// log repairs may leave it too, is found by the check of all pages.
TEST(OpenErrors, TruncatedFile) {
  const TempFolder folder;
  const std::string whole = read_text_file(store_with(folder, 200));
  for (std::size_t size = 1; size < whole.size(); size += 997) {
    const std::string path = folder.file("cut.db");
    put(path, whole.substr(0, size));
    const bool opens = problem(path) == "none";
    EXPECT_FALSE(opens && size + 4096 < whole.size()) << size;
    EXPECT_FALSE(opens && RecordStore::open(path).faults().empty()) << size;
  }
}

TEST(OpenErrors, DamagedPagesAreFound) {
  const TempFolder folder;
  const std::string path = store_with(folder, 200);
  std::string bytes = read_text_file(path);
  for (std::size_t i = bytes.size() / 2; i < bytes.size() / 2 + 4096; ++i) bytes[i] = '\x55';
  put(path, bytes);
  const auto store = RecordStore::open(path);
  EXPECT_FALSE(store.faults().empty());
  EXPECT_THROW((void)store.read(), InputError);
}

TEST(OpenErrors, RowThatIsNoRecordIsNamed) {
  const TempFolder folder;
  const std::string path = store_with(folder, 0);
  run_sql(path,
          "INSERT INTO records(id, kind, fields, provenance) "
          "VALUES('00000000000000000000000000000001', 'k', '{\"x\": [1]}', '{}')");
  try {
    (void)RecordStore::open(path).read();
    FAIL() << "read a list as a field";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("r.db (record 00000000000000000000000000000001)"));
    EXPECT_THAT(error.what(), HasSubstr("not [1]"));
  }
}

TEST(OpenErrors, AnotherProgramsDatabase) {
  const TempFolder folder;
  run_sql(folder.file("other.db"), "CREATE TABLE songs(title)");
  EXPECT_THAT(problem(folder.file("other.db"), kWrite), HasSubstr("another program"));
  EXPECT_THAT(problem(folder.file("other.db")), HasSubstr("another program"));
}

TEST(OpenErrors, NewerLayoutAsksForAnUpdate) {
  const TempFolder folder;
  const std::string path = store_with(folder, 1);
  run_sql(path, "PRAGMA user_version = 2");
  EXPECT_THAT(problem(path), HasSubstr("newer version (layout 2; this one knows 1)"));
  EXPECT_THAT(problem(path, kWrite), HasSubstr("newer version"));
}

TEST(OpenErrors, MissingGuardIsNoticed) {
  const TempFolder folder;
  const std::string path = store_with(folder, 1);
  run_sql(path, "DROP TRIGGER records_no_delete");
  EXPECT_THAT(problem(path), HasSubstr("records_no_delete"));
}

// Root may do anything, so the child becomes somebody else first.
void drop_privileges() {
  constexpr uid_t kNobody = 65534;
  if (geteuid() != 0) return;
  if (setgid(kNobody) != 0 || setuid(kNobody) != 0) throw std::runtime_error("cannot drop privileges");
}

TEST(OpenErrors, NoPermission) {
  const TempFolder folder;
  const std::string path = store_with(folder, 1);
  chmod(path.c_str(), 0);
  chmod(folder.path().c_str(), 0555);
  Child other([&] {
    drop_privileges();
    return problem(path) + "\n" + problem(path, kWrite) + "\n" + problem(folder.file("new.db"), kWrite);
  });
  const std::string said = other.result();
  chmod(folder.path().c_str(), 0755);
  const std::string denied = ": cannot be opened: Permission denied";
  EXPECT_EQ(
      said,
      "system: " + path + denied + "\nsystem: " + path + denied + "\nsystem: " + folder.file("new.db") +
          ": cannot be created: its folder takes no new file\n  hint: name a file in a folder of yours");
}

TEST(OpenErrors, FileThatMayOnlyBeRead) {
  const TempFolder folder;
  const std::string path = store_with(folder, 1);
  chmod(path.c_str(), 0444);
  chmod(folder.path().c_str(), 0777);
  Child other([&] {
    drop_privileges();
    const auto count = RecordStore::open(path).count();
    return std::to_string(count) + " " + problem(path, kWrite);
  });
  EXPECT_THAT(other.result(), StartsWith("1 system: " + path + ": cannot be written"));
}

TEST(OpenErrors, FolderThatMayOnlyBeRead) {
  const TempFolder folder;
  const std::string path = store_with(folder, 1);
  chmod(folder.path().c_str(), 0555);
  Child other([&] {
    drop_privileges();
    return std::to_string(RecordStore::open(path).count()) + " " + problem(path, kWrite);
  });
  EXPECT_THAT(other.result(), StartsWith("1 system: " + path + ": cannot be written"));
  chmod(folder.path().c_str(), 0755);
}

TEST(OpenErrors, WhetherRecordsCanBeAppendedIsKnownWithoutMakingTheFile) {
  const TempFolder folder;
  const auto problem_of = [](const std::string& path) -> std::string {
    try {
      check_can_append(path);
    } catch (const std::exception& error) {
      return error.what();
    }
    return {};
  };
  EXPECT_EQ(problem_of(folder.file("new.db")), "");
  EXPECT_FALSE(std::filesystem::exists(folder.file("new.db")));
  EXPECT_THAT(problem_of(folder.file("absent/r.db")), HasSubstr("its folder does not exist"));
  put(folder.file("text.db"), std::string(5000, 'x'));
  EXPECT_THAT(problem_of(folder.file("text.db")), HasSubstr("this is not a file of records"));
  EXPECT_THAT(problem_of(""), HasSubstr("`db`: error: no file of records was named"));
  EXPECT_THAT(problem_of("postgresql://db/x"), HasSubstr("records are kept in a file"));
  RecordStore::open(folder.file("ours.db"), kWrite);
  EXPECT_EQ(problem_of(folder.file("ours.db")), "");
}

}  // namespace
}  // namespace sextant::records
