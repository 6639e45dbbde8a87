// sextant fit --method scaling, and what predict and evaluate make of its file.
#include <nlohmann/json.hpp>

#include "cli_fixture.h"
#include "sextant/core/csv.h"
#include "sextant/core/json.h"

namespace sextant::cli::test {
namespace {

class Scaling : public CliFixture {
 protected:
  // Made up: compute and synchronisation add up; a network of twice the work sends twice as much.
  static double step(double work, int count, int nodes, int batch) {
    const double compute = work * (0.01 + 0.001 * batch);
    return count == 1 ? compute : compute + work * 0.02 * (nodes == 1 ? 0.3 : nodes == 2 ? 1 : 1.2);
  }

  static std::string rows(const char* net, double work, bool parallel) {
    std::string text;
    for (const auto& [count, nodes] : {std::pair(1, 1), std::pair(2, 1), std::pair(4, 1), std::pair(4, 2),
                                       std::pair(8, 2), std::pair(6, 3), std::pair(12, 3)}) {
      for (const int batch : {8, 16, 32}) {
        if (count > 1 && !parallel) continue;
        text += std::string(net) + ",lab," + std::to_string(count) + "," + std::to_string(nodes) + "," +
                std::to_string(batch) + "," + std::to_string(step(work, count, nodes, batch)) + "\n";
      }
    }
    return text;
  }

  void SetUp() override {
    CliFixture::SetUp();
    const std::string header = "net,cluster,count,nodes,batch,measured_s\n";
    write("timed.csv", header + rows("one", 1, true) + rows("four", 4, true));
    write("single.csv", header + rows("two", 2, false));
    write("new.csv", header + "one,lab,16,4,16,0.05\nfour,lab,8,2,16,0.184\n");
  }

  static Outcome fit() {
    return sextant_run({"fit", "--method", "scaling", "--data", "timed.csv", "--out", "law.json"});
  }

  static CsvTable answers(const std::vector<std::string>& more) {
    std::vector<std::string> arguments = {"predict",  "--cases", "q.csv", "--model",
                                          "law.json", "--out",   "a.csv"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Outcome outcome = sextant_run(arguments);
    EXPECT_EQ(outcome.code, kDone) << outcome.err;
    return CsvTable::read_file("a.csv");
  }
};

TEST_F(Scaling, FitsPredictsAndEvaluates) {
  const Outcome fitted = fit();
  ASSERT_EQ(fitted.code, kDone) << fitted.err;
  EXPECT_NE(fitted.out.find("more GPUs"), std::string::npos) << fitted.out;
  EXPECT_EQ(Json::parse(read("law.json")).at("schema"), "sextant.scaling/2");
  EXPECT_EQ(Json::parse(read("law.json")).at("rows"), 42);

  write("q.csv", "net,cluster,placement,batch,note\none,lab,44,16,x\none,lab,1,16,y\n");
  const CsvTable table = answers({});
  EXPECT_EQ(table.text(0, table.column("note")), "x");
  EXPECT_NEAR(table.number(0, table.column("predicted_s")), step(1, 8, 2, 16), 0.05 * step(1, 8, 2, 16));
  EXPECT_NEAR(table.number(0, table.column("compute_s")) + table.number(0, table.column("communication_s")),
              table.number(0, table.column("predicted_s")), 1e-9);
  EXPECT_EQ(table.number(1, table.column("communication_s")), 0);
  EXPECT_EQ(table.text(0, table.column("extrapolating")), "false");
  EXPECT_TRUE(table.empty(0, table.column("error")));

  const Outcome judged = sextant_run({"evaluate", "--model", "law.json", "--data", "new.csv", "--out",
                                      "judged.csv", "--plot", "plot.svg", "--format", "csv"});
  ASSERT_EQ(judged.code, kDone) << judged.err;
  EXPECT_EQ(CsvTable::parse(judged.out, "out").number(0, 1), 2);
  EXPECT_EQ(CsvTable::read_file("judged.csv").rows(), 2U);
  EXPECT_NE(read("plot.svg").find("<svg"), std::string::npos);
}

TEST_F(Scaling, RowsThatCannotBeAnsweredSayWhy) {
  ASSERT_EQ(fit().code, kDone);
  write("q.csv",
        "net,cluster,placement,count,batch\nones,lab,4,,8\none,moon,4,,8\none,lab,,0,8\none,lab,44,7,8\n"
        "one,lab,4,,-8\none,lab,4,,8\n");
  const CsvTable table = answers({});
  const std::size_t error = table.column("error");
  EXPECT_EQ(table.text(0, error), "the model knows no network 'ones' (did you mean 'one'?)");
  EXPECT_NE(table.text(1, error).find("no cluster 'moon'"), std::string::npos);
  EXPECT_NE(table.text(2, error).find("0"), std::string::npos);
  EXPECT_EQ(table.text(3, error), "placement '44' has 8 GPUs, not 7");
  EXPECT_NE(table.text(4, error).find("positive"), std::string::npos);
  EXPECT_TRUE(table.empty(5, error));
}

TEST_F(Scaling, OneGpuStepsBringANetwork) {
  ASSERT_EQ(fit().code, kDone);
  write("q.csv", "net,cluster,count,nodes,batch\ntwo,lab,8,2,16\n");
  const CsvTable unknown = answers({});
  EXPECT_NE(unknown.text(0, unknown.column("error")).find("no network 'two'"), std::string::npos);
  const CsvTable known = answers({"--measured", "single.csv"});
  const double truth = step(2, 8, 2, 16);
  EXPECT_NEAR(known.number(0, known.column("predicted_s")), truth, 0.3 * truth);
  EXPECT_LT(known.number(0, known.column("low_s")), truth);
  EXPECT_GT(known.number(0, known.column("high_s")), truth);
  EXPECT_EQ(known.text(0, known.column("extrapolating")), "true");
}

TEST_F(Scaling, AModelShips) {
  write("q.csv", "net,cluster,placement,batch\nimagenet,aws,4444,100\n");
  const Outcome outcome = sextant_run({"predict", "--cases", "q.csv", "--model", "sia"});
  ASSERT_EQ(outcome.code, kDone) << outcome.err;
  const CsvTable table = CsvTable::parse(outcome.out, "out");
  EXPECT_GT(table.number(0, table.column("communication_s")), 0);
}

TEST_F(Scaling, IsTheSameToTheByte) {
  ASSERT_EQ(fit().code, kDone);
  const std::string once = read("law.json");
  ASSERT_EQ(fit().code, kDone);
  EXPECT_EQ(read("law.json"), once);
}

TEST_F(Scaling, BadTablesAreRefused) {
  const auto refused = [&](const std::string& text, const std::string& complaint) {
    write("timed.csv", text);
    const Outcome outcome = fit();
    EXPECT_EQ(outcome.code, kBadInput) << outcome.err;
    EXPECT_NE(outcome.err.find(complaint), std::string::npos) << outcome.err;
    EXPECT_FALSE(std::filesystem::exists("law.json")) << complaint;
  };
  refused("", "timed.csv");
  refused("net,cluster,count,batch\na,b,1,1\n", "measured_s");
  refused("net,cluster,count,batch,measured_s\na,b,1,1,x\n", "timed.csv:2");
  refused("net,cluster,count,batch,measured_s\na,b,1,1,1\n", "too few");
}

}  // namespace
}  // namespace sextant::cli::test
