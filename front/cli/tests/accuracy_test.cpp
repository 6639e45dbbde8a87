// sextant accuracy without the tables that it needs.
#include "cli_fixture.h"

namespace sextant::cli::test {
namespace {

class Accuracy : public CliFixture {};

TEST_F(Accuracy, AMissingFolderIsBadInput) {
  const Outcome outcome = sextant_run({"accuracy", "--data", "nowhere", "--out", "accuracy.md"});
  EXPECT_EQ(outcome.code, kBadInput);
  EXPECT_NE(outcome.err.find("nowhere"), std::string::npos) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  EXPECT_TRUE(files().empty()) << "no page without numbers";
}

TEST_F(Accuracy, NeedsAFolder) {
  const Outcome outcome = sextant_run({"accuracy"});
  EXPECT_EQ(outcome.code, kBadInput);
  EXPECT_NE(outcome.err.find("--data"), std::string::npos) << outcome.err;
}

TEST_F(Accuracy, AnEmptyFolderNamesTheFileThatIsMissing) {
  const Outcome outcome = sextant_run({"accuracy", "--data", "."});
  EXPECT_EQ(outcome.code, kBadInput);
  EXPECT_NE(outcome.err.find(".csv"), std::string::npos) << outcome.err;
}

}  // namespace
}  // namespace sextant::cli::test
