#include "sextant/ask/records.h"

#include <gtest/gtest.h>

#include <fstream>

#include "temporary_folder.h"

namespace sextant::ask {
namespace {

TEST(AskRecords, ImportingTwiceAddsNothing) {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "runs.csv") << "net,seconds\nresnet50,0.1\nvgg16,0.2\n";
  const ImportRecordsQuestion question{.file = (folder.path() / "runs.csv").string(),
                                       .db = (folder.path() / "runs.db").string()};
  EXPECT_EQ(import_records(question, {}).added, 2);
  EXPECT_EQ(import_records(question, {}).already_there, 2);

  const auto stored = read_records({.db = question.db, .filter = {.limit = 1}});
  ASSERT_EQ(stored.size(), 1U);
  EXPECT_EQ(stored[0].kind, "measurement");
  EXPECT_EQ(stored[0].provenance.inputs.at(0).first, question.file);
  const RecordsCheck check = check_records(question.db);
  EXPECT_EQ(check.records, 2);
  EXPECT_TRUE(check.faults.empty());
}

}  // namespace
}  // namespace sextant::ask
