// sextant fit --method kernel, from a case file to a stack that `predict` reads.
#include <nlohmann/json.hpp>

#include "cli_fixture.h"
#include "sextant/core/json.h"

namespace sextant::cli::test {
namespace {

class FitKernel : public CliFixture {
 protected:
  // Made up: a fixed part and so much a sample, twice as fast on a V100.
  void SetUp() override {
    CliFixture::SetUp();
    std::string text = "net,gpu,batch,image,measured_s\n";
    for (const auto& [gpu, speed] : {std::pair("t4", 1.0), std::pair("v100", 2.0)}) {
      for (const auto& [net, sample] : {std::pair("resnet18", 0.002), std::pair("alexnet", 0.001)}) {
        for (const int batch : {8, 16, 32}) {
          text += std::string(net) + "," + gpu + "," + std::to_string(batch) + ",64," +
                  std::to_string(0.004 + sample * batch / speed) + "\n";
        }
      }
    }
    write("timed.csv", text);
  }

  static Outcome fit(const std::vector<std::string>& more) {
    std::vector<std::string> arguments = {"fit", "--data", "timed.csv", "--out", "own.json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return sextant_run(arguments);
  }

  void expect_refused(const std::vector<std::string>& more, const std::string& complaint) {
    const Outcome outcome = fit(more);
    EXPECT_EQ(outcome.code, kBadInput) << outcome.err;
    EXPECT_NE(outcome.err.find(complaint), std::string::npos) << outcome.err;
    EXPECT_EQ(outcome.out, "");
    EXPECT_FALSE(std::filesystem::exists("own.json")) << complaint;
  }
};

TEST_F(FitKernel, WritesAStackThatPredictReads) {
  const Outcome fitted = fit({"--method", "kernel", "--stack", "own-1.0"});
  ASSERT_EQ(fitted.code, kDone) << fitted.err;
  EXPECT_NE(fitted.out.find("own-1.0"), std::string::npos) << fitted.out;
  const Json stack = Json::parse(read("own.json"));
  EXPECT_EQ(stack.at("stack"), "own-1.0");
  EXPECT_EQ(stack.at("rows"), 12);
  EXPECT_EQ(stack.at("departures").size(), 2U);

  const Outcome asked = sextant_run({"predict", "resnet18", "--gpu", "t4", "--batch", "16", "--image", "64",
                                     "--predictor", "kernel", "--model", "own.json", "--json"});
  ASSERT_EQ(asked.code, kDone) << asked.err;
  // 4 ms and 16 samples of 2 ms.
  EXPECT_NEAR(Json::parse(asked.out).at("predictions").at(0).at("iteration_s").get<double>(), 0.036,
              0.2 * 0.036);
}

TEST_F(FitKernel, IsTheSameToTheByte) {
  const std::vector<std::string> arguments = {"--method", "kernel", "--stack", "own-1.0"};
  ASSERT_EQ(fit(arguments).code, kDone);
  const std::string once = read("own.json");
  std::filesystem::remove("own.json");
  ASSERT_EQ(fit(arguments).code, kDone);
  EXPECT_EQ(read("own.json"), once);
}

TEST_F(FitKernel, StartsFromAnotherStack) {
  ASSERT_EQ(fit({"--method", "kernel", "--stack", "own-1.0"}).code, kDone);
  std::filesystem::rename("own.json", "first.json");
  const Outcome again = fit({"--method", "kernel", "--stack", "own-1.1", "--start", "first.json"});
  ASSERT_EQ(again.code, kDone) << again.err;
  EXPECT_NE(Json::parse(read("own.json")).at("coefficients"),
            Json::parse(read("first.json")).at("coefficients"))
      << "the start is also what the fit is pulled to";
  std::filesystem::remove("own.json");
  expect_refused({"--method", "kernel", "--stack", "x", "--start", "pytorch-9"}, "unknown stack 'pytorch-9'");
  expect_refused({"--method", "kernel", "--stack", "x", "--start", "missing.json"}, "missing.json");
}

TEST_F(FitKernel, ReadsTheFilesOfARecipe) {
  write("own.toml",
        "stack = \"own-1.0\"\n[[data]]\nfile = \"timed.csv\"\nresponse = \"measured_s\"\n"
        "[data.columns]\nnet = \"{net}\"\ngpu = \"{gpu}\"\nbatch = \"{batch}\"\nimage = \"{image}\"\n"
        "[data.where]\nbatch = [\"!32\"]\n");
  const Outcome outcome =
      sextant_run({"fit", "--data", ".", "--method", "kernel", "--recipe", "own.toml", "--out", "own.json"});
  ASSERT_EQ(outcome.code, kDone) << outcome.err;
  EXPECT_EQ(Json::parse(read("own.json")).at("stack"), "own-1.0");
  EXPECT_EQ(Json::parse(read("own.json")).at("rows"), 8);
}

TEST_F(FitKernel, RefusesWhatItCannotUse) {
  expect_refused({"--method", "kernel"}, "--stack");
  expect_refused({"--method", "kernel,ridge", "--stack", "x"}, "stands alone");
  expect_refused({"--method", "ridge", "--response", "measured_s", "--recipe", "pytorch-2.1"},
                 "belong to --method kernel");
  expect_refused({"--response", "measured_s", "--stack", "x"}, "belong to --method kernel");
  expect_refused({"--method", "ridge"}, "--response");
  expect_refused({"--method", "kernel", "--stack", "x", "--response", "time_s"}, "time_s");
  expect_refused({"--method", "kernel", "--stack", "x", "--response", "batch"}, "unit of 'batch'");
  expect_refused({"--method", "kernel", "--recipe", "pytorch-9"}, "unknown recipe 'pytorch-9'");
}

TEST_F(FitKernel, NamesTheCellThatIsWrong) {
  write("timed.csv", "net,gpu,batch,measured_s\nresnet18,t4,8,0.02\nresnet18,t5,8,0.02\n");
  expect_refused({"--method", "kernel", "--stack", "x"}, "unknown GPU 't5'");
  write("timed.csv", "net,gpu,batch,measured_s\nresnet18,t4,8,-1\n");
  expect_refused({"--method", "kernel", "--stack", "x"}, "timed.csv");
  write("timed.csv", "net,gpu,batch,measured_s\n");
  expect_refused({"--method", "kernel", "--stack", "x"}, "has only a header");
}

}  // namespace
}  // namespace sextant::cli::test
