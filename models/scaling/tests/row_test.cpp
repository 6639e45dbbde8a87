#include "sextant/scaling/row.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "error_of.h"

namespace sextant::scaling {
namespace {

using sextant::test::error_of;
using testing::HasSubstr;

std::vector<ScalingRow> read(const std::string& text) {
  return read_scaling_rows(CsvTable::parse(text, "rows.csv"));
}

TEST(ScalingRows, ReadsTheSiaColumns) {
  const auto rows = read(
      "model,cluster,gpu,gpus_per_node_list,num_nodes,num_gpus,local_bsz,step_time_s,sync_time_s\n"
      "bert,aws,T4,134,3,8,4,1.25,0.5\n"
      "bert,aws,T4,,3,7,4,1.5,\n");
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].at.net, "bert");
  EXPECT_EQ(rows[0].at.cluster, "aws");
  EXPECT_EQ(rows[0].at.placement.gpus, (std::vector<std::int64_t>{1, 3, 4}));
  EXPECT_EQ(rows[0].at.batch, 4);
  EXPECT_EQ(rows[0].step, Seconds{1.25});
  EXPECT_EQ(rows[0].sync, Seconds{0.5});
  EXPECT_EQ(rows[1].at.placement.gpus, (std::vector<std::int64_t>{3, 2, 2}));
  EXPECT_FALSE(rows[1].sync);
}

TEST(ScalingRows, ReadsCaseColumns) {
  const auto rows = read("net,gpu,count,batch,measured_ms\nresnet50,v100,4,32,250\n");
  EXPECT_EQ(rows[0].at.cluster, "v100") << "the GPU names the cluster";
  EXPECT_EQ(rows[0].at.placement.gpus, (std::vector<std::int64_t>{4})) << "one node, if nothing is said";
  EXPECT_EQ(rows[0].step, Seconds{0.25});
}

TEST(ScalingRows, ReadsRates) {
  const auto rows = read(
      "version,gpu,host,num_gpus,model,precision,global_batch,throughput,suspect\n"
      "v1,A10,here,4,bert,fp16,80,160,0\nv1,A10,,4,bert,fp16,80,160,1\nv2,A10,,2,bert,fp16,,50,0\n");
  ASSERT_EQ(rows.size(), 2U) << "a suspect row does not count";
  EXPECT_EQ(rows[0].at.net, "bert/fp16/v1");
  EXPECT_EQ(rows[0].at.cluster, "A10/here");
  EXPECT_EQ(rows[0].at.batch, 20);             // 80 samples on 4 GPUs
  EXPECT_EQ(rows[0].step, Seconds{0.5});       // 80 samples at 160 a second
  EXPECT_EQ(rows[1].step, Seconds{2.0 / 50});  // one sample on each GPU
}

TEST(ScalingRows, NamesTheCellThatIsWrong) {
  const std::string header = "net,cluster,placement,count,nodes,batch,step_s\n";
  const auto complaint = [&](const std::string& row) { return error_of([&] { read(header + row); }); };
  EXPECT_THAT(complaint("a,c,44,7,,8,1\n"),
              HasSubstr("rows.csv:2:8: error: placement '44' has 8 GPUs, not 7"));
  EXPECT_THAT(complaint("a,c,44,8,3,8,1\n"), HasSubstr("has 2 nodes, not 3"));
  EXPECT_THAT(complaint("a,c,,0,,8,1\n"), HasSubstr("rows.csv:2:6"));
  EXPECT_THAT(complaint("a,c,,,,8,1\n"), HasSubstr("this row has neither a placement nor a count"));
  EXPECT_THAT(complaint("a,c,x,8,,8,1\n"), HasSubstr("'x' is not a placement"));
  EXPECT_THAT(complaint(",c,4,,,8,1\n"), HasSubstr("no network"));
  EXPECT_THAT(complaint("a,,4,,,8,1\n"), HasSubstr("neither a cluster nor a GPU"));
  for (const char* number : {"0", "-1", "nan", "inf", "1e300", "x", ""}) {
    EXPECT_NE(complaint("a,c,4,,," + std::string(number) + ",1\n"), "no error") << number;
    EXPECT_NE(complaint("a,c,4,,,8," + std::string(number) + "\n"), "no error") << number;
  }
}

TEST(ScalingRows, NamesTheColumnThatIsMissing) {
  EXPECT_THAT(error_of([] { read("cluster,count,batch,step_s\nc,1,1,1\n"); }), HasSubstr("'net'"));
  EXPECT_THAT(error_of([] { read("net,count,batch,step_s\na,1,1,1\n"); }), HasSubstr("'cluster'"));
  EXPECT_THAT(error_of([] { read("net,gpu,batch,step_s\na,c,1,1\n"); }), HasSubstr("'placement'"));
  EXPECT_THAT(error_of([] { read("net,gpu,count,step_s\na,c,1,1\n"); }), HasSubstr("'batch'"));
  EXPECT_THAT(error_of([] { read("net,gpu,count,batch\na,c,1,1\n"); }), HasSubstr("'measured_s'"));
  EXPECT_THAT(error_of([] { read("net,gpu,count,batch,step_s\n"); }), HasSubstr("no row"));
}

}  // namespace
}  // namespace sextant::scaling
