// Studies through the program: a file, options alone, a loop outside, and what is refused.
#include <gmock/gmock.h>
#include <unistd.h>

#include <csignal>
#include <nlohmann/json.hpp>
#include <thread>

#include "cli_fixture.h"

namespace sextant::cli::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kStudy =
    "strategy = \"random\"\n[[factor]]\nname = \"x\"\nlow = 1\nhigh = 50\n[[objective]]\nmetric = \"loss\"\n"
    "[budget]\ntrials = 5\n[evaluator]\nrun = \"echo loss: {x}\"\n";

class ExploreTest : public CliFixture {
 protected:
  static nlohmann::json answer(const std::vector<std::string>& words) {
    const Outcome outcome = sextant_run(words);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return nlohmann::json::parse(outcome.out);
  }
};

TEST_F(ExploreTest, AFileIsRunAndGoesOn) {
  write("s.toml", kStudy);
  const nlohmann::json five = answer({"explore", "s.toml", "--json"});
  ASSERT_EQ(five["trials"].size(), 5U);
  double least = 1e9;
  for (const auto& trial : five["trials"]) {
    EXPECT_EQ(trial["metrics"]["loss"], trial["configuration"]["x"]);
    least = std::min(least, trial["metrics"]["loss"].get<double>());
  }
  EXPECT_EQ(five["best"][0]["metrics"]["loss"], least);
  const Outcome seven = sextant_run({"explore", "s.toml", "--trials", "7", "--all"});
  EXPECT_EQ(seven.code, 0) << seven.err;
  EXPECT_THAT(seven.err, AllOf(HasSubstr("trial 6/7"), HasSubstr("trial 7/7"), Not(HasSubstr("trial 5/7"))));
  EXPECT_THAT(seven.err, HasSubstr("best"));
  EXPECT_THAT(sextant_run({"explore", "status", "s.toml"}).out, HasSubstr("7 trials so far"));
}

// Who waits at a terminal sees what runs; a log has a line for each trial once it has ended.
TEST_F(ExploreTest, SaysWhichTrialStartsToWhoeverWaits) {
  write("s.toml",
        "strategy = \"random\"\n[[factor]]\nname = \"x\"\nlevels = [3]\n[[objective]]\nmetric = \"loss\"\n"
        "[budget]\ntrials = 1\n[evaluator]\nrun = \"echo loss: {x}\"\n");
  const Outcome watched = sextant_run({"explore", "s.toml"}, {.somebody_waits = true});
  EXPECT_EQ(watched.code, 0) << watched.err;
  const std::size_t starts = watched.err.find("trial 1/1  x=3  starts\n");
  const std::size_t ends = watched.err.find("trial 1/1  x=3  loss 3");
  EXPECT_LT(starts, ends) << watched.err;
  EXPECT_NE(ends, std::string::npos) << watched.err;
  const Outcome piped = sextant_run({"explore", "s.toml", "--store", "other.sqlite"});
  EXPECT_THAT(piped.err, AllOf(HasSubstr("trial 1/1  x=3  loss 3"), Not(HasSubstr("starts"))));
}

TEST_F(ExploreTest, OptionsAloneAreAStudy) {
  const std::vector<std::string> words = {"explore",
                                          "--run",
                                          "echo loss {batch} {rate} {net}",
                                          "--factor",
                                          "batch=16,32",
                                          "--factor",
                                          "rate=0.1..0.2",
                                          "--factor",
                                          "net=a b,c",
                                          "--minimise",
                                          "loss",
                                          "--trials",
                                          "3",
                                          "--strategy",
                                          "random",
                                          "--json"};
  const nlohmann::json first = answer(words);
  EXPECT_EQ(first["trials"].size(), 3U);
  EXPECT_EQ(first["best"][0]["metrics"]["loss"], first["best"][0]["configuration"]["batch"]);
  const nlohmann::json again = answer(words);
  EXPECT_EQ(again["trials"], first["trials"]);  // nothing was run again
}

TEST_F(ExploreTest, WithoutAMetricTimeIsTheObjective) {
  const nlohmann::json json = answer({"explore", "--run", "sleep {s}", "--factor", "s=0,0.2", "--trials", "2",
                                      "--strategy", "random", "--json"});
  EXPECT_EQ(json["best"][0]["configuration"]["s"], 0);
  EXPECT_GE(json["best"][0]["metrics"]["seconds"], 0);
}

TEST_F(ExploreTest, NothingFeasibleIsThree) {
  const auto run = [](const std::string& command, const std::string& limit) {
    return sextant_run({"explore", "--run", command, "--factor", "x=1,2", "--minimise", "loss", "--limit",
                        limit, "--strategy", "random"});
  };
  const Outcome failing = run("sh -c 'echo no memory; exit 1' {x}", "loss <= 9");
  EXPECT_EQ(failing.code, 3);
  EXPECT_THAT(failing.out, AllOf(HasSubstr("no trial succeeded within the limits"), HasSubstr("no memory")));
  EXPECT_EQ(run("echo loss {x}", "loss <= 0").code, 3);
  EXPECT_EQ(run("echo loss {x}", "loss <= 1").code, 0);
}

TEST_F(ExploreTest, TheStatusSaysWhyTrialsFailed) {
  EXPECT_EQ(sextant_run({"explore", "--run", "sh -c 'echo CUDA out of memory; exit 1' {x}", "--factor",
                         "x=1,2", "--minimise", "loss", "--strategy", "random", "--trials", "1"})
                .code,
            3);
  const std::string shown = sextant_run({"explore", "status", "sextant-study.sqlite", "--wide"}).out;
  EXPECT_THAT(shown, AllOf(HasSubstr("proposed as"), HasSubstr("message"),
                           HasSubstr("exit 1: CUDA out of memory"), HasSubstr("no trial succeeded\n")));
}

TEST_F(ExploreTest, OptionsOfExploreAreNoOptionsOfAsk) {
  write("s.toml", kStudy);
  const Outcome trials = sextant_run({"explore", "ask", "s.toml", "--trials", "3"});
  EXPECT_EQ(trials.code, 2);
  EXPECT_THAT(trials.err, HasSubstr("'sextant explore ask' has no option '--trials'"));
  EXPECT_THAT(sextant_run({"explore", "--trials", "3", "ask", "s.toml"}).err,
              HasSubstr("no option '--trials'"));
}

TEST_F(ExploreTest, AskGoesOnWithAChangedStudyByForce) {
  write("s.toml", kStudy);
  EXPECT_EQ(sextant_run({"explore", "ask", "s.toml"}).code, 0);
  std::string changed = kStudy;
  changed.replace(changed.find("high = 50"), 9, "high = 60");
  write("s.toml", changed);
  const Outcome refused = sextant_run({"explore", "ask", "s.toml"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.err, HasSubstr("explore ask, with --force"));
  EXPECT_EQ(sextant_run({"explore", "ask", "s.toml", "--force"}).code, 0);
  EXPECT_EQ(sextant_run({"explore", "ask", "s.toml"}).code, 0) << "the study is the changed one from then on";
}

TEST_F(ExploreTest, SeveralObjectivesGiveAFront) {
  const nlohmann::json json =
      answer({"explore", "--run", "sh -c 'echo loss $1; echo rate $1' x {x}", "--factor", "x=1,2,3",
              "--minimise", "loss", "--maximise", "rate", "--strategy", "random", "--json"});
  EXPECT_EQ(json["front"].size(), 3U);  // each is worse in one and better in the other
}

TEST_F(ExploreTest, ALoopOutside) {
  write("s.toml", std::string(kStudy).substr(0, std::string(kStudy).find("[evaluator]")));
  const nlohmann::json asked = answer({"explore", "ask", "s.toml", "--count", "2", "--json"});
  ASSERT_EQ(asked["trials"].size(), 2U);
  EXPECT_NE(asked["trials"][0]["configuration"], asked["trials"][1]["configuration"]);
  EXPECT_EQ(sextant_run({"explore", "tell", "s.toml", "1", "loss=3"}).code, 0);
  EXPECT_EQ(sextant_run({"explore", "tell", "s.toml", "2", "--timed-out", "loss=9"}).code, 0);
  EXPECT_THAT(sextant_run({"explore", "tell", "s.toml", "2", "loss=9"}).err,
              HasSubstr("has ended: timed-out"));
  EXPECT_THAT(sextant_run({"explore", "tell", "s.toml", "1", "loss"}).err, HasSubstr("as in loss=0.25"));
  EXPECT_EQ(sextant_run({"explore", "ask", "s.toml", "--count", "3"}).code, 0);
  const Outcome spent = sextant_run({"explore", "ask", "s.toml"});
  EXPECT_EQ(spent.code, 3);
  EXPECT_THAT(spent.err, HasSubstr("the budget is spent"));
  EXPECT_THAT(sextant_run({"explore", "s.toml"}).err, HasSubstr("does not say what runs a trial"));
}

TEST_F(ExploreTest, AMetricIsToldOnce) {
  write("s.toml", std::string(kStudy).substr(0, std::string(kStudy).find("[evaluator]")));
  EXPECT_EQ(sextant_run({"explore", "ask", "s.toml"}).code, 0);
  const Outcome twice = sextant_run({"explore", "tell", "s.toml", "1", "loss=10", "loss=20"});
  EXPECT_EQ(twice.code, 2);
  EXPECT_THAT(twice.err,
              AllOf(HasSubstr("METRIC: error: metric 'loss' is given twice"), HasSubstr("hint: ")));
  EXPECT_EQ(sextant_run({"explore", "tell", "s.toml", "1", "loss=10"}).code, 0) << "nothing was kept";
}

TEST_F(ExploreTest, AStoreTellsOfItsStudies) {
  write("s.toml", kStudy);
  EXPECT_EQ(sextant_run({"explore", "s.toml"}).code, 0);
  std::filesystem::remove("s.toml");
  const nlohmann::json one = answer({"explore", "status", "s.sqlite", "--json"});
  EXPECT_EQ(one["study"], "s");
  EXPECT_EQ(one["trials"].size(), 5U);
  write("t.toml", std::string("name = \"other\"\n") + kStudy);
  EXPECT_EQ(sextant_run({"explore", "t.toml", "--store", "s.sqlite", "--trials", "2"}).code, 0);
  const nlohmann::json both = answer({"explore", "status", "s.sqlite", "--json"});
  ASSERT_EQ(both["studies"].size(), 2U);
  EXPECT_EQ(both["studies"][0]["study"], "s");
  EXPECT_EQ(both["studies"][1]["trials"], 2);
  EXPECT_THAT(sextant_run({"explore", "status", "s.sqlite"}).out,
              HasSubstr("--name shows the trials of one"));
  EXPECT_EQ(answer({"explore", "status", "s.sqlite", "--name", "other", "--json"})["trials"].size(), 2U);
  const Outcome none = sextant_run({"explore", "status", "s.sqlite", "--name", "othr"});
  EXPECT_EQ(none.code, 2);
  EXPECT_THAT(none.err, AllOf(HasSubstr("--name: error"), HasSubstr("did you mean 'other'?")));
}

// Provenance, settings and errors are printed, kept and sent to others.
TEST_F(ExploreTest, PasswordsAreNeverShown) {
  const std::string url = "postgresql://me:sesame@127.0.0.1:1/lab";
  write("s.toml", kStudy);
  const Outcome failed = sextant_run({"explore", "s.toml", "--store", url});
  EXPECT_EQ(failed.code, 1);
  EXPECT_THAT(failed.err, AllOf(HasSubstr("me:***@127.0.0.1"), Not(HasSubstr("sesame"))));
  write("sextant.toml", "[explore]\nstore = \"" + url + "\"\n");
  for (const std::string format : {"--json", "--format=csv", "--wide"}) {
    const Outcome shown = sextant_run({"config", "show", format});
    EXPECT_EQ(shown.code, 0) << shown.err;
    EXPECT_THAT(shown.out, AllOf(HasSubstr("me:***@127.0.0.1"), Not(HasSubstr("sesame"))));
  }
  std::filesystem::remove("sextant.toml");
  // Provenance holds the whole command line.
  write("t.toml", std::string(kStudy).substr(0, std::string(kStudy).find("[evaluator]")));
  EXPECT_EQ(sextant_run({"explore", "ask", "t.toml"}).code, 0);
  const nlohmann::json told =
      answer({"explore", "tell", "t.toml", "1", "--failed", "--message", url, "--json"});
  EXPECT_THAT(told["provenance"]["command"].get<std::string>(), HasSubstr("me:***@127.0.0.1"));
  EXPECT_THAT(told.dump(), Not(HasSubstr("sesame")));
}

TEST_F(ExploreTest, PredictionsAreTrials) {
  write("p.toml",
        "prior = \"resnet50 --gpu {gpu} --batch {batch}\"\n[[factor]]\nname = \"gpu\"\nlevels = [\"v100\", "
        "\"a100\"]\n"
        "[[factor]]\nname = \"batch\"\nlevels = [16, 100000]\n[[objective]]\nmetric = \"samples_per_s\"\n"
        "goal = \"maximise\"\n[budget]\ntrials = 4\n[evaluator]\nkind = \"predict\"\n"
        "args = \"resnet50 --gpu {gpu} --batch {batch}\"\n");
  const nlohmann::json json =
      answer({"explore", "p.toml", "--strategy", "random", "--workers", "2", "--json"});
  EXPECT_EQ(json["best"][0]["configuration"]["gpu"], "a100");
  EXPECT_THAT(json.dump(), HasSubstr("fits = false"));
  EXPECT_EQ(json["cost_usd"], 0);
}

TEST_F(ExploreTest, SimulationsAreTrials) {
  const std::string jobs = "--generate philly:jobs=60 --cluster v100=16 --policy ";
  write("s.toml",
        "strategy = \"random\"\nparallel = 2\n[[factor]]\nname = \"policy\"\nlevels = [\"fifo\", "
        "\"srtf\"]\n[[objective]]\nmetric = \"mean_jct_s\"\n[budget]\ntrials = 2\n[evaluator]\n"
        "kind = \"simulate\"\nargs = \"" +
            jobs + "{policy}\"\n");
  const nlohmann::json json = answer({"explore", "s.toml", "--json"});
  ASSERT_EQ(json["trials"].size(), 2U);
  for (const auto& trial : json["trials"]) {
    const std::string policy = trial["configuration"]["policy"];
    const nlohmann::json alone = answer({"simulate", "--generate", "philly:jobs=60", "--cluster", "v100=16",
                                         "--policy", policy, "--json", "--no-provenance"});
    EXPECT_EQ(trial["metrics"]["mean_jct_s"], alone["runs"][0]["mean_jct_s"]) << trial.dump();
  }
}

// More than anybody waits for.
constexpr const char* kLongSimulation =
    "[[factor]]\nname = \"gpus\"\nlow = 8\nhigh = 16\n[[objective]]\nmetric = "
    "\"mean_jct_s\"\n[budget]\ntrials = "
    "1\n[evaluator]\nkind = \"simulate\"\nargs = \"--generate philly:jobs=1000000 --cluster v100={gpus} "
    "--policy "
    "max-min\"\n";

// The first lets the trial go on, the second gives it back.
TEST_F(ExploreTest, CtrlCTwiceStopsASimulation) {
  write("s.toml", std::string("strategy = \"random\"\n") + kLongSimulation);
  const auto trials = [] {
    const Outcome status = sextant_run({"explore", "status", "s.toml", "--json"});
    return status.code == 0 ? nlohmann::json::parse(status.out)["trials"] : nlohmann::json::array();
  };
  std::jthread user([&] {
    while (trials().empty()) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    for (int i = 0; i < 2; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(200));
      kill(getpid(), SIGINT);
    }
  });
  const Outcome outcome = sextant_run({"explore", "s.toml", "--json"});
  EXPECT_EQ(outcome.code, 130) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("Waiting for trial 1, which runs; press Ctrl-C again to stop it."));
  ASSERT_EQ(trials().size(), 1U);
  EXPECT_EQ(trials()[0]["state"], "waiting");
  EXPECT_EQ(trials()[0]["worker"], "");
}

// Trials that are this program as another process.
class ExploreProcesses : public ExploreTest {
 protected:
  void SetUp() override {
    ExploreTest::SetUp();
    if (!std::filesystem::exists(SEXTANT_BINARY_DIR "/sextant")) GTEST_SKIP() << "sextant is not built";
  }
};

// Within this process, and, with a timeout, as another one.
TEST_F(ExploreProcesses, AnAnswerOfSeveralRowsIsNoTrial) {
  const auto message = [](const std::string& keys, const std::string& evaluator) {
    write("s.toml", "strategy = \"random\"\n" + keys +
                        "[[factor]]\nname = \"x\"\nlevels = [2, 4]\n[[objective]]\nmetric = \"m\"\n[budget]\n"
                        "trials = 1\n[evaluator]\n" +
                        evaluator);
    const Outcome outcome = sextant_run({"explore", "s.toml", "--json"});
    EXPECT_EQ(outcome.code, 3) << outcome.err;
    std::filesystem::remove("s.sqlite");
    return nlohmann::json::parse(outcome.out)["trials"].at(0)["message"].get<std::string>();
  };
  for (const std::string keys : {"", "timeout = \"1 min\"\n"}) {
    EXPECT_EQ(message(keys, "kind = \"predict\"\nargs = \"lenet --gpu v100 --batch {x},8\"\n"),
              "the answer has 2 rows; a trial is one");
    EXPECT_EQ(message(keys,
                      "kind = \"simulate\"\nargs = \"--generate philly:jobs=20 --cluster v100={x}00 --policy "
                      "fifo,srtf,las\"\n"),
              "the answer has 3 rows; a trial is one");
    EXPECT_EQ(message(keys, "kind = \"predict\"\nargs = \"lenet --gpu v100 --batch {x}00000000\"\n"),
              "the answer says: fits = false");
    EXPECT_THAT(message(keys, "kind = \"predict\"\nargs = \"lenet --gpu v10 --batch {x}\"\n"),
                HasSubstr("exit 2: --gpu: error: unknown GPU 'v10'"));
  }
}

// Within this process, and, with a timeout, as another one.
TEST_F(ExploreProcesses, TheCatalogueReachesTrials) {
  write("own.toml",
        "[[gpu]]\nid = \"my-gpu\"\nfp32 = \"10 TFLOP/s\"\nmemory = \"16 GiB\"\nmemory_bandwidth = \"200 "
        "GB/s\"\n");
  std::vector<nlohmann::json> found;
  for (const std::string timeout : {"", "timeout = \"1 min\"\n"}) {
    const std::string file = "s" + std::to_string(found.size()) + ".toml";
    write(file,
          timeout +
              "strategy = \"random\"\n[[factor]]\nname = \"batch\"\nlevels = [4, 8]\n[[objective]]\nmetric "
              "= \"iteration_s\"\n[budget]\ntrials = 2\n[evaluator]\nkind = \"predict\"\n"
              "args = \"resnet18 --gpu my-gpu --batch {batch}\"\n");
    found.push_back(answer({"explore", file, "--catalog", "own.toml", "--json"})["best"].at(0));
  }
  EXPECT_EQ(found[0]["metrics"]["iteration_s"], found[1]["metrics"]["iteration_s"]);
}

TEST_F(ExploreProcesses, ASimulationThatTakesTooLongIsTimedOut) {
  write("s.toml", std::string("strategy = \"random\"\ntimeout = \"500 ms\"\n") + kLongSimulation);
  const Outcome outcome = sextant_run({"explore", "s.toml", "--json"});
  EXPECT_EQ(outcome.code, 3) << outcome.err;
  const nlohmann::json trial = nlohmann::json::parse(outcome.out)["trials"].at(0);
  EXPECT_EQ(trial["state"], "timed-out");
  EXPECT_EQ(trial["message"], "stopped after 0.5 s");
}

TEST_F(ExploreTest, WhatIsWrongIsSaidBeforeAnythingRuns) {
  write("s.toml", kStudy);
  const auto problem = [](const std::vector<std::string>& words) {
    const Outcome outcome = sextant_run(words);
    EXPECT_EQ(outcome.code, 2) << outcome.err;
    return outcome.err;
  };
  EXPECT_THAT(problem({"explore"}), HasSubstr("no study was named"));
  EXPECT_THAT(problem({"explore", "none.toml"}), HasSubstr("none.toml"));
  EXPECT_THAT(problem({"explore", "s.toml", "--run", "x"}), HasSubstr("the study file says this already"));
  EXPECT_THAT(problem({"explore", "--factor", "x=1,2"}), HasSubstr("what runs a trial?"));
  EXPECT_THAT(problem({"explore", "--run", "echo", "--factor", "x"}), HasSubstr("batch=16,32,64"));
  EXPECT_THAT(problem({"explore", "--run", "echo", "--factor", "x=1,,2"}), HasSubstr("an empty level"));
  EXPECT_THAT(problem({"explore", "--run", "echo", "--factor", "x=1..b"}), HasSubstr("is no number"));
  EXPECT_THAT(problem({"explore", "--run", "echo {y}", "--factor", "x=1,2"}),
              HasSubstr("'{y}' is no factor"));
  EXPECT_THAT(problem({"explore", "--run", "echo", "--factor", "x=1,2", "--constraint", "x > 5"}),
              HasSubstr("x > 5"));
  EXPECT_THAT(problem({"explore", "s.toml", "--strategy", "randon"}), HasSubstr("did you mean 'random'?"));
  EXPECT_THAT(problem({"explore", "s.toml", "--store", "no/where.sqlite"}),
              HasSubstr("folder does not exist"));
  EXPECT_EQ(sextant_run({"explore", "s.toml", "--no-run"}).code, 0);
  EXPECT_THAT(files(), testing::Each(Not(HasSubstr("s.sqlite"))));
}

}  // namespace
}  // namespace sextant::cli::test
