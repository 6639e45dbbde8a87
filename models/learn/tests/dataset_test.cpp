#include "sextant/learn/dataset.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "error_of.h"

namespace sextant::learn {
namespace {

DataTables tables(const std::string& text) {
  return DataTables({CsvTable::parse(text, "runs.csv")});
}

const char* const kRuns =
    "gpu,batch,lab,time\n"
    "t4,16,x,1\n"
    "v100,32,x,2\n"
    "k80,16,x,3\n"
    "t4,64,x,4\n"
    "v100,16,x,5\n"
    "k80,32,x,6\n";

TEST(DatasetOf, TextsBecomeDummiesWithAReference) {
  const Dataset data = make_dataset(tables(kRuns), {"time", {"all"}});
  ASSERT_EQ(data.features.size(), 2U);
  EXPECT_THAT(data.features[0].values, testing::ElementsAre("k80", "t4", "v100"));
  std::vector<std::string> names;
  for (const auto& column : data.sample.columns) names.push_back(column.name);
  EXPECT_THAT(names, testing::ElementsAre("gpu=t4", "gpu=v100", "batch"));
  EXPECT_THAT(data.sample.x.row(1), testing::ElementsAre(0, 1, 32));
  EXPECT_THAT(data.sample.x.row(2), testing::ElementsAre(0, 0, 16));
  EXPECT_THAT(data.dropped, testing::ElementsAre("lab: constant"));
  EXPECT_TRUE(data.positive);
}

TEST(DatasetOf, AnUnseenTextIsTheReferenceAndFlagged) {
  const Dataset data = make_dataset(tables(kRuns), {"time", {"gpu", "batch"}});
  const DataTables query = tables("batch,gpu\n8,a100\n8,t4\n");  // another order of columns
  const EncodedRow unseen = encode(query, 0, data.features);
  EXPECT_TRUE(unseen.unseen);
  EXPECT_THAT(unseen.x, testing::ElementsAre(0, 0, 8));
  EXPECT_FALSE(encode(query, 1, data.features).unseen);
}

TEST(DatasetOf, GroupsThatAreTextsStayOutOfAll) {
  EXPECT_EQ(make_dataset(tables(kRuns), {"time", {"all"}, {"gpu"}}).features.size(), 1U);
  EXPECT_EQ(make_dataset(tables(kRuns), {"time", {"all"}, {"batch"}}).features.size(), 2U);
}

TEST(DatasetOf, NamesOfRowsAreNotFeatures) {
  std::string text = "id,x,y\n";
  for (int i = 1; i <= 6; ++i) text += "run" + std::to_string(i) + "," + std::to_string(i) + ",1\n";
  EXPECT_THAT(make_dataset(tables(text), {"y", {"all"}}).dropped,
              testing::ElementsAre("id: 6 different texts in 6 rows"));
}

TEST(DatasetOf, FilesAreOneTable) {
  const DataTables two({CsvTable::parse("x,y\n1,2\n2,3\n", "a.csv"), CsvTable::parse("x,y\n5,6\n", "b.csv")});
  EXPECT_EQ(two.rows(), 3U);
  EXPECT_EQ(two.number(2, 0), 5);
  EXPECT_EQ(make_dataset(two, {"y", {"x"}}).sample.x.rows(), 3U);
  EXPECT_NE(sextant::test::error_of([] {
              DataTables({CsvTable::parse("x,y\n1,2\n", "a.csv"), CsvTable::parse("y,x\n1,2\n", "b.csv")});
            }).find("b.csv:1:1: error: its columns are not those of a.csv"),
            std::string::npos);
}

TEST(DatasetOf, ErrorsPointAtTheCell) {
  const auto error = [](const std::string& text, const DatasetRequest& request) {
    return sextant::test::error_of([&] { make_dataset(tables(text), request); });
  };
  // One slip in a column of numbers is not a column of texts.
  EXPECT_THAT(error("x,y\n1,1\n2,2\nthree,3\n4,4\n", {"y", {"x"}}),
              testing::StartsWith("runs.csv:4:1: error:"));
  EXPECT_THAT(error("x,y\n1,1\n2,2\n3,nan\n", {"y", {"x"}}), testing::StartsWith("runs.csv:4:3: error:"));
  EXPECT_THAT(error("x,y\n1,1\n,2\n3,3\n", {"y", {"x"}}), testing::StartsWith("runs.csv:3:1: error:"));
  EXPECT_THAT(error("g,y\na,1\n,2\nb,3\na,3\n", {"y", {"g"}}),
              testing::StartsWith("runs.csv:3:1: error: the cell is empty"));
  EXPECT_THAT(error("x,y\n1,1\ninf,2\n", {"y", {"x"}}), testing::StartsWith("runs.csv:3:1: error:"));
  EXPECT_THAT(error(kRuns, {"tine", {"all"}}), testing::HasSubstr("did you mean 'time'?"));
  EXPECT_THAT(error(kRuns, {"time", {"bach"}}), testing::HasSubstr("did you mean 'batch'?"));
  EXPECT_THAT(error(kRuns, {"time", {"time"}}), testing::HasSubstr("cannot predict itself"));
  EXPECT_THAT(error(kRuns, {"time", {"lab"}}), testing::HasSubstr("no column is left"));
  EXPECT_THAT(error("x,y\n", {"y", {"x"}}), testing::HasSubstr("has a header but no rows"));
  EXPECT_THAT(error("", {"y", {"x"}}), testing::HasSubstr("runs.csv"));
}

}  // namespace
}  // namespace sextant::learn
