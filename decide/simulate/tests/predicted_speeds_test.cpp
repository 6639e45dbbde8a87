#include "sextant/simulate/predicted_speeds.h"

#include <gmock/gmock.h>

#include "model_job.h"
#include "sextant/parallel/cluster_predictor.h"

namespace sextant::simulate {
namespace {

class PredictedSpeedsTest : public testing::Test {
 protected:
  PredictedSpeedSetup setup(jobs::WorkUnit unit) const {
    return {.catalog = &catalog_, .one_device = roofline_.get(), .link = "ethernet-10g", .unit = unit};
  }
  double step(std::int64_t gpus, const std::string& link, const std::string& gpu = "v100") const {
    jobs::Job job;
    job.net = "resnet50";
    job.sizes.batch = 64;
    job.layout.placement = jobs::Placement::packed(gpus, link.empty() ? 8 : 1);
    job.layout.link = link;
    const nets::Graph graph = build(nets::find_network("resnet50"), job.sizes);
    const nets::GraphCost graph_cost = cost(graph);
    return parallel::ClusterPredictor(catalog_, *roofline_)
        .predict({job, graph, graph_cost, catalog_.gpus.get(gpu)})
        .iteration.value;
  }
  catalog::Catalog catalog_ = catalog::builtin_catalog();
  std::unique_ptr<predict::Predictor> roofline_ =
      predict::predictors().get("roofline").make({.catalog = &catalog_});
  clusters::Cluster cluster_{.name = "",
                             .pools = {{.type = "v100", .gpus = 16}, {.type = "k80", .gpus = 16}}};
};

TEST_F(PredictedSpeedsTest, StepsAreMiniBatchesOfAllWorkers) {
  JobClass cls{.gpus = 2, .rate = {1, 1}, .across_nodes = {1, 1}, .across_racks = {1, 1}};
  speeds_from_prediction(setup(jobs::WorkUnit::steps), cluster_)->fill("ResNet-50 (batch size 64)", cls);
  EXPECT_DOUBLE_EQ(cls.rate[0], 2 / step(2, ""));
  EXPECT_LT(cls.rate[1], cls.rate[0]);
  EXPECT_DOUBLE_EQ(cls.across_nodes[0], step(2, "") / step(2, "ethernet-10g"));
  EXPECT_LT(cls.across_nodes[0], 1);
}

TEST_F(PredictedSpeedsTest, DurationsAreRelativeToTheFirstPool) {
  JobClass cls{.gpus = 1, .rate = {1, 1}, .across_nodes = {1, 1}, .across_racks = {1, 1}};
  speeds_from_prediction(setup(jobs::WorkUnit::reference_seconds), cluster_)->fill("resnet50", cls);
  EXPECT_DOUBLE_EQ(cls.rate[0], 1);
  EXPECT_GT(cls.rate[1], 0);
  EXPECT_LT(cls.rate[1], 1);
}

TEST_F(PredictedSpeedsTest, AJobThatFillsTheMemoryCannotRunThere) {
  JobClass cls{.gpus = 1, .rate = {1, 1}, .across_nodes = {1, 1}, .across_racks = {1, 1}};
  const auto why = speeds_from_prediction(setup(jobs::WorkUnit::steps), cluster_)
                       ->fill("ResNet-50 (batch size 4096)", cls);
  EXPECT_EQ(cls.rate[1], 0);
  ASSERT_TRUE(why.has_value());
  EXPECT_EQ(why->kind, RefusalKind::memory);
  EXPECT_THAT(why->reason, testing::HasSubstr("a v100-sxm2-16gb leaves a job 15.0 GiB"));
}

// What the catalogue says of the pools holds for jobs whose model nobody knows; of the others, the
// prediction.
TEST_F(PredictedSpeedsTest, KnownModelsHaveSpeedsOfTheirOwn) {
  cluster_.pools[1].speed = 0.27;
  cluster_.pools[1].speed_from = clusters::SpeedFrom::catalogue;
  const auto speeds = speeds_by_model(setup(jobs::WorkUnit::reference_seconds), cluster_);
  EXPECT_FALSE(speeds->needs_model());
  JobClass known{.gpus = 4, .rate = {1, 0.27}, .across_nodes = {1, 1}, .across_racks = {1, 1}};
  EXPECT_FALSE(speeds->fill("ResNet-50 (batch size 64)", known).has_value());
  EXPECT_EQ(known.rate[0], 1);
  EXPECT_DOUBLE_EQ(known.rate[1], step(1, "") / step(1, "", "k80"));
  JobClass unknown = known;
  unknown.rate = {1, 0.27};
  EXPECT_FALSE(speeds->fill("Recommendation", unknown).has_value());
  EXPECT_THAT(unknown.rate, testing::ElementsAre(1, 0.27));
  cluster_.pools[1].speed_from = clusters::SpeedFrom::stated;
  JobClass stated{.gpus = 1, .rate = {1, 0.27}, .across_nodes = {1, 1}, .across_racks = {1, 1}};
  (void)speeds_by_model(setup(jobs::WorkUnit::reference_seconds), cluster_)->fill("resnet50", stated);
  EXPECT_THAT(stated.rate, testing::ElementsAre(1, 0.27));
}

TEST(ModelJob, NamesAndSizes) {
  const jobs::Job job = job_of_model("BERT-base (batch size 8, seq 128)",
                                     {.net = {}, .sizes = {}, .stack = "tensorflow", .layout = {}});
  EXPECT_EQ(job.net, "bert-base");
  EXPECT_EQ(job.sizes.batch, 8);
  EXPECT_EQ(job.sizes.seq, 128);
  EXPECT_EQ(job.stack, "tensorflow");
  EXPECT_EQ(job_of_model("vgg 16", {}).net, "vgg16");
}

TEST(ModelJob, BadTexts) {
  for (const char* text : {"", "A3C", "resnet50 (batch size", "resnet50 (batch size 0)",
                           "resnet50 (batch size x)", "resnet50 (depth 3)", "resnet50 ()"}) {
    EXPECT_THROW(job_of_model(text, {}), InputError) << text;
  }
}

}  // namespace
}  // namespace sextant::simulate
