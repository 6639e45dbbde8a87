// Recipes: how other people's tables become timed steps.
#include "sextant/predict/recipe.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "builtin.h"
#include "error_of.h"
#include "sextant/predict/stack.h"

namespace sextant::predict {
namespace {

using sextant::test::error_of;
using test::catalog;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

constexpr const char* kFull = R"(
stack = "own-1.0"
accumulates_gradients = false

[[data]]
file = "steps.csv"
response = "took"
unit = "us"
[data.columns]
net = "{model}"
gpu = "{card}"
[data.values.gpu]
"Tesla T4" = "t4"
[data.where]
mode = ["train", "eval"]
model = ["!alexnet"]

[[data]]
file = "more.csv"
response = "mean_ms"
[data.columns]
net = "resnet18"

[profile]
file = "ops.csv"
response = "us"
op = "name"
prefix = "gpu/"
steps = 4
ignored = ["idle"]
[profile.columns]
net = "{model}"
[profile.kinds]
Conv2D = "conv"
MatMul = "gemm"
)";

Recipe parse(const std::string& text) {
  return parse_recipe(text, "own.toml");
}

TEST(Recipe, ReadsEveryField) {
  const Recipe recipe = parse(kFull);
  EXPECT_EQ(recipe.stack, "own-1.0");
  EXPECT_FALSE(recipe.traits.accumulates_gradients);
  ASSERT_EQ(recipe.data.size(), 2U);
  EXPECT_EQ(recipe.data[0].file, "steps.csv");
  EXPECT_EQ(recipe.data[0].response, "took");
  EXPECT_EQ(recipe.data[0].unit, 1e-6);
  EXPECT_THAT(recipe.data[0].columns, ElementsAre(Pair("gpu", "{card}"), Pair("net", "{model}")));
  EXPECT_EQ(recipe.data[0].values.at("gpu").at("Tesla T4"), "t4");
  EXPECT_THAT(recipe.data[0].where.at("mode"), ElementsAre("train", "eval"));
  EXPECT_EQ(recipe.data[1].unit, 1e-3) << "by its ending";
  ASSERT_TRUE(recipe.profile);
  EXPECT_EQ(recipe.profile->data.unit, 1e-6) << "by its name";
  EXPECT_EQ(recipe.profile->op, "name");
  EXPECT_EQ(recipe.profile->prefix, "gpu/");
  EXPECT_EQ(recipe.profile->steps, 4);
  EXPECT_THAT(recipe.profile->ignored, ElementsAre("idle"));
  EXPECT_EQ(recipe.profile->kinds.at("MatMul"), KernelKind::gemm);
}

TEST(Recipe, GradientsAccumulateUnlessItSaysOtherwise) {
  const Recipe recipe =
      parse("stack = \"x\"\n[[data]]\nfile = \"a\"\nresponse = \"t_s\"\n[data.columns]\nnet = \"n\"\n");
  EXPECT_TRUE(recipe.traits.accumulates_gradients);
  EXPECT_EQ(recipe.data.front().unit, 1);
  EXPECT_FALSE(recipe.profile);
}

std::string with(std::string text, const std::string& old, const std::string& now) {
  const auto at = text.find(old);
  EXPECT_NE(at, std::string::npos) << old;
  return text.replace(at, old.size(), now);
}

TEST(Recipe, SaysWhatIsWrongAndWhere) {
  struct Bad {
    std::string old, now, complaint;
  };
  for (const Bad& bad :
       std::vector<Bad>{{"\"conv\"", "\"convolution\"", "unknown kind of kernel 'convolution'"},
                        {"unit = \"us\"", "unit = \"h\"", "the unit of 'took' is not known"},
                        {"unit = \"us\"\n", "", "the unit of 'took' is not known"},
                        {"unit = \"us\"", "units = \"us\"", "the unit of 'took' is not known"},
                        {"accumulates_gradients", "accumulate_gradients", "accumulate_gradients"},
                        {"prefix", "prefixes", "prefixes"},
                        {"steps = 4", "steps = 0", "is not above 0"},
                        {"stack = \"own-1.0\"", "", "stack"},
                        {"mode = [\"train\", \"eval\"]", "mode = \"train\"", "mode"},
                        {"[data.columns]", "[data.column]", "column"}}) {
    const std::string error = error_of([&] { parse(with(kFull, bad.old, bad.now)); });
    EXPECT_TRUE(error.starts_with("own.toml:")) << bad.now << ": " << error;
    EXPECT_THAT(error, HasSubstr(bad.complaint)) << bad.now;
  }
}

TEST(Recipe, WithoutDataThereIsNothingToRead) {
  EXPECT_THAT(error_of([] { parse("stack = \"own-1.0\"\n"); }), HasSubstr("no section [[data]]"));
  EXPECT_THAT(error_of([] { parse("stack = \n"); }), HasSubstr("own.toml:1:"));
}

TEST(Recipe, EachOfTheProgramMadeAStackOfItsName) {
  EXPECT_THAT(builtin_recipes(), testing::IsSupersetOf({"pytorch-1.x", "pytorch-2.1", "tensorflow-2.5"}));
  for (const auto& name : builtin_recipes()) EXPECT_EQ(find_recipe(name).stack, name);
  EXPECT_THAT(error_of([] { find_recipe("pytorch-2.0", at_field("recipe")); }),
              testing::AllOf(HasSubstr("`recipe`: error: unknown recipe 'pytorch-2.0'"),
                             HasSubstr("did you mean 'pytorch-2.1'?")));
  EXPECT_THAT(error_of([] { find_recipe("missing.toml"); }), HasSubstr("missing.toml"));
}

CsvTable runs() {
  return CsvTable::parse(
      "model,card,size,took,mode\n"
      "resnet50,Tesla T4,64,2000,train\n"
      "resnet50,Tesla T5,64,3000,eval\n"
      "alexnet,Tesla T4,64,1000,train\n"
      "vgg16,Tesla T4,64,4000,test\n",
      "runs.csv");
}

constexpr const char* kPublished = R"(
[[published]]
source = "a page"
samples_per_s = 200
case = { net = "resnet50", gpu = "t4", batch = "50", precision = "fp16" }
)";

TEST(Recipe, ReadsPublishedRates) {
  const Recipe recipe = parse(std::string(kFull) + kPublished);
  ASSERT_EQ(recipe.published.size(), 1U);
  EXPECT_EQ(recipe.published[0].samples_per_s, 200);
  EXPECT_EQ(recipe.published[0].source, "a page");
  EXPECT_EQ(recipe.published[0].columns.at("gpu"), "t4");
}

TEST(Recipe, RefusesPublishedRatesThatSayTooLittle) {
  const auto with = [](const std::string& from, const std::string& to) {
    std::string text = std::string(kFull) + kPublished;
    text.replace(text.find(from), from.size(), to);
    return error_of([&] { parse(text); });
  };
  EXPECT_THAT(with("samples_per_s = 200", "samples_per_s = 0"), HasSubstr("not above 0"));
  EXPECT_THAT(with(", batch = \"50\"", ""), HasSubstr("no 'batch'"));
  EXPECT_THAT(with("source = \"a page\"\n", ""), HasSubstr("source"));
}

TEST(MapColumns, FillsTemplatesKeepsRowsAndConvertsTimes) {
  const CsvTable mapped = map_columns(runs(), parse(kFull).data[0]);
  ASSERT_EQ(mapped.rows(), 2U) << "not alexnet, not a test";
  EXPECT_EQ(mapped.text(0, mapped.column("net")), "resnet50");
  EXPECT_EQ(mapped.text(0, mapped.column("gpu")), "t4");
  EXPECT_EQ(mapped.text(1, mapped.column("gpu")), "") << "a value that the table does not have";
  EXPECT_DOUBLE_EQ(mapped.number(0, mapped.column("measured_s")), 2e-3);
}

TEST(MapColumns, ATemplateMayHaveSeveralColumnsOrNone) {
  DataRecipe recipe{.file = "", .response = "took", .columns = {{"a", "x/{model}-{size}."}, {"b", "sgd"}}};
  recipe.columns["c"] = "{model";
  const CsvTable mapped = map_columns(runs(), recipe);
  ASSERT_EQ(mapped.rows(), 4U);
  EXPECT_EQ(mapped.text(3, mapped.column("a")), "x/vgg16-64.");
  EXPECT_EQ(mapped.text(3, mapped.column("b")), "sgd");
  EXPECT_EQ(mapped.text(3, mapped.column("c")), "{model") << "no closing brace: plain text";
}

TEST(MapColumns, NamesAColumnThatIsNotThere) {
  DataRecipe recipe{.file = "", .response = "took", .columns = {{"net", "{modell}"}}};
  EXPECT_THAT(error_of([&] { map_columns(runs(), recipe); }),
              testing::AllOf(HasSubstr("runs.csv"), HasSubstr("modell")));
  recipe = {.file = "", .response = "time", .columns = {{"net", "{model}"}}};
  EXPECT_THAT(error_of([&] { map_columns(runs(), recipe); }), HasSubstr("time"));
  recipe = {.file = "", .response = "took", .columns = {}, .where = {{"kind", {"a"}}}};
  EXPECT_THAT(error_of([&] { map_columns(runs(), recipe); }), HasSubstr("kind"));
  recipe = {.file = "", .response = "card", .columns = {{"net", "{model}"}}};
  EXPECT_THAT(error_of([&] { map_columns(runs(), recipe); }), HasSubstr("Tesla T4")) << "no number";
}

TEST(PlainRecipe, TakesTheCaseColumnsThatAreThere) {
  const CsvTable table = CsvTable::parse("net,note,gpu,batch,instance,step_ms\n", "own.csv");
  const Recipe recipe = plain_recipe("own-1.0", {table}, "step_ms");
  EXPECT_EQ(recipe.stack, "own-1.0");
  ASSERT_EQ(recipe.data.size(), 1U);
  EXPECT_EQ(recipe.data[0].file, "own.csv");
  EXPECT_EQ(recipe.data[0].unit, 1e-3);
  EXPECT_THAT(recipe.data[0].columns, ElementsAre(Pair("batch", "{batch}"), Pair("gpu", "{gpu}"),
                                                  Pair("instance", "{instance}"), Pair("net", "{net}")));
  EXPECT_THAT(error_of([&] { plain_recipe("x", {table}, "step_s"); }), HasSubstr("step_s"));
  EXPECT_THAT(error_of([&] { plain_recipe("x", {table}, "note"); }), HasSubstr("unit of 'note'"));
}

class ReadObservations : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "sextant-recipe-XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ + "/" + name) << text;
  }
  std::string folder_;
};

TEST_F(ReadObservations, StepsMeetTheirProfile) {
  write("steps.csv", "model,card,took,mode\nresnet50,Tesla T4,200000,train\nvgg16,Tesla T4,400000,train\n");
  write("more.csv", "mean_ms,gpu\n");
  // 4 steps, and twice as long as the step itself: 0.4 s of kernels against 0.2 s.
  write("ops.csv",
        "model,name,us\nresnet50,gpu/Conv2D,1200000\nresnet50,gpu/MatMul,400000\n"
        "resnet50,gpu/idle,9000000\nresnet50,cpu/Conv2D,9000000\nalexnet,gpu/Conv2D,1\n");
  Recipe recipe = parse(kFull);
  recipe.data.resize(1);
  const auto rows = read_observations(recipe, folder_, catalog());
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_DOUBLE_EQ(rows[0].seconds, 0.2);
  EXPECT_EQ(rows[0].instance, "t4");
  EXPECT_EQ(rows[0].labels.net, "resnet50");
  EXPECT_NEAR(rows[0].profile[static_cast<std::size_t>(KernelKind::conv)], 0.15, 1e-12);
  EXPECT_NEAR(rows[0].profile[static_cast<std::size_t>(KernelKind::gemm)], 0.05, 1e-12);
  EXPECT_EQ(rows[1].profile[static_cast<std::size_t>(KernelKind::conv)], 0) << "nobody profiled it";
}

TEST_F(ReadObservations, InstancesOfOneGpuAreKeptApart) {
  write("own.csv", "net,gpu,batch,instance,step_s\nalexnet,t4,8,left,0.01\nalexnet,t4,8,,0.02\n");
  const CsvTable table = CsvTable::read_file(folder_ + "/own.csv");
  const auto rows = read_observations(plain_recipe("x", {table}, "step_s"), "", catalog());
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].instance, "t4/left");
  EXPECT_EQ(rows[1].instance, "t4");
}

TEST_F(ReadObservations, AMissingFileIsNamed) {
  EXPECT_THAT(error_of([&] { read_observations(parse(kFull), folder_, catalog()); }), HasSubstr("ops.csv"));
}

}  // namespace
}  // namespace sextant::predict
