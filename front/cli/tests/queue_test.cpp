// sextant queue from the command line: questions, answers, and questions that make no sense.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "cli_fixture.h"
#include "sextant/core/json.h"
#include "sextant/core/rng.h"

namespace sextant::cli::test {
namespace {

using testing::HasSubstr;

class Queue : public CliFixture {
 protected:
  static Outcome queue(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "queue");
    return sextant_run(arguments);
  }
  static Json json(std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"--json", "--no-provenance"});
    return Json::parse(queue(arguments).out);
  }
  static Json only_queue(const std::vector<std::string>& arguments) {
    const Json all = json(arguments);
    EXPECT_EQ(all.at("schema"), "sextant.queue/2");
    EXPECT_EQ(all.at("queues").size(), 1U);
    return all.at("queues").at(0);
  }
  static void expect_bad(const std::vector<std::string>& arguments, const std::string& says) {
    const Outcome outcome = queue(arguments);
    EXPECT_EQ(outcome.code, kBadInput) << testing::PrintToString(arguments);
    EXPECT_THAT(outcome.err, HasSubstr(says));
    EXPECT_EQ(outcome.out, "");
  }
  static void write_records(const std::string& path, double service_mean) {
    Rng rng(3);
    double clock = 1.7e9;  // instants since 1970 are as good as any
    std::string text = "id,arrival_s,service_s\n";
    for (int i = 0; i < 150; ++i) {
      clock += rng.exponential(2);
      text += std::to_string(i) + "," + std::to_string(clock) + "," +
              std::to_string(rng.exponential(service_mean)) + "\n";
    }
    write(path, text);
  }
};

TEST_F(Queue, AFileWithOtherColumnsIsToldHowToNameThem) {
  write("jobs.csv", "created,took\n1,2\n");
  expect_bad({"--records", "jobs.csv"}, "--arrival-column says which column it is; there are created, took");
}

TEST_F(Queue, MM1) {
  const Json r = only_queue({"--model", "mm1", "--arrival-rate", "0.8", "--service-rate", "1"});
  EXPECT_NEAR(r.at("response_s").get<double>(), 5, 1e-9);
  EXPECT_NEAR(r.at("response_p95_s").get<double>(), 14.979, 5e-4);
}

TEST_F(Queue, ListsAreSwept) {
  const Json rows = json({"--model", "ggc", "--arrival-rate", "1,3", "--service-time", "1", "--servers",
                          "4,8", "--service-scv", "1.5", "--arrival-scv", "0.6666666667"})
                        .at("queues");
  ASSERT_EQ(rows.size(), 4U);
  EXPECT_EQ(rows.at(1).at("servers"), 8);
  EXPECT_NEAR(rows.at(2).at("waiting_s").get<double>(), 0.5519, 5e-5);
  const Outcome csv = queue(
      {"--model", "mmc", "--arrival-rate", "3", "--service-rate", "1", "--servers", "4", "--format", "csv"});
  EXPECT_THAT(csv.out, HasSubstr("model,servers,arrival_per_s,service_s,arrival_scv,service_scv,capacity,"));
}

TEST_F(Queue, UnitsAreOptional) {
  const Json plain = json({"--model", "mmc", "--arrival-rate", "0.0033333333333333335", "--service-time",
                           "1500", "--servers", "8"});
  const Json units =
      json({"--model", "mmc", "--arrival-rate", "12/h", "--service-time", "25 min", "--servers", "8"});
  EXPECT_EQ(plain, units);
  expect_bad({"--model", "mm1", "--arrival-rate", "1/x", "--service-time", "1"}, "--arrival-rate");
  expect_bad({"--model", "mm1", "--arrival-rate", "1/h/h", "--service-time", "1"}, "--arrival-rate");
  expect_bad({"--model", "mm1", "--arrival-rate", "1", "--service-time", "5 km"}, "--service-time");
}

TEST_F(Queue, AnOverloadIsInfeasibleAndSaysWhatWouldDo) {
  const Outcome outcome = queue({"--model", "mm1", "--arrival-rate", "2.5", "--service-rate", "1"});
  EXPECT_EQ(outcome.code, kInfeasible);
  EXPECT_THAT(outcome.err, HasSubstr("utilisation 2.5 is not below 1"));
  EXPECT_THAT(outcome.err, HasSubstr("3 servers would keep up"));
  EXPECT_THAT(outcome.out, HasSubstr("unbounded"));
  const Outcome sweep =
      queue({"--model", "mmc", "--arrival-rate", "2.5", "--service-rate", "1", "--servers", "1,4"});
  EXPECT_EQ(sweep.code, kDone) << "one of the rows is an answer";
}

TEST_F(Queue, HowManyServers) {
  const Json r =
      only_queue({"--model", "mm1", "--arrival-rate", "3", "--service-time", "1", "--target-wait", "0.5"});
  EXPECT_EQ(r.at("servers"), 5);
  EXPECT_EQ(r.at("feasible"), true);
  const Json p95 = only_queue(
      {"--model", "mmc", "--arrival-rate", "12/h", "--service-time", "25 min", "--target-p95", "10 min"});
  EXPECT_LE(p95.at("waiting_p95_s").get<double>(), 600);
  const Outcome none = queue({"--model", "mg1", "--arrival-rate", "3", "--service-time", "1", "--target-wait",
                              "1", "--max-servers", "3"});
  EXPECT_EQ(none.code, kInfeasible);
  EXPECT_THAT(none.err, HasSubstr("stability"));
  expect_bad({"--model", "mmc", "--arrival-rate", "3", "--service-time", "1", "--target-wait", "1",
              "--servers", "4"},
             "--servers");
  expect_bad({"--model", "mg1", "--arrival-rate", "3", "--service-time", "1", "--target-p95-response", "1"},
             "M/M/c only");
  expect_bad({"--model", "mmc", "--arrival-rate", "3", "--service-time", "1", "--target-wait", "-1"},
             "is not a time from 0 on");
}

TEST_F(Queue, Priorities) {
  write("c.csv", "class,arrival_per_s,service_s\nurgent,0.3,1\nbatch,0.5,1\n");
  const Json r = json({"--classes", "c.csv"});
  EXPECT_NEAR(r.at("classes").at(0).at("waiting_s").get<double>(), 0.8 / 0.7, 1e-9);
  write("full.csv", "class,arrival_per_s,service_s\nurgent,0.3,1\nbatch,0.9,1\n");
  const Outcome full = queue({"--classes", "full.csv"});
  EXPECT_EQ(full.code, kInfeasible);
  EXPECT_THAT(full.err, HasSubstr("class 'batch'"));
  EXPECT_THAT(full.err, HasSubstr("2 servers would keep up"));
  write("empty.csv", "");
  expect_bad({"--classes", "empty.csv"}, "empty.csv");
}

TEST_F(Queue, ClosedNetworks) {
  const Json r =
      json({"--model", "mva", "--demands", "0.5,0.3", "--think", "2", "--population", "1,2,3,4,5"});
  EXPECT_NEAR(r.at("results").at(4).at("throughput_per_s").get<double>(), 1.4413, 5e-5);
  EXPECT_NEAR(r.at("knee_users").get<double>(), 5.6, 1e-9);
  const Json several = json({"--model", "mva", "--demands", "0.5,0.3", "--delays", "1", "--servers-at", "2,1",
                             "--population", "10"});
  EXPECT_EQ(several.at("multi_server"), "exact");
  EXPECT_EQ(several.at("bottleneck"), "queue2");
  expect_bad({"--model", "mva", "--demands", "0.5", "--servers-at", "2,1", "--population", "1"},
             "--servers-at");
  expect_bad({"--model", "mva", "--population", "1"}, "--demands");
  expect_bad({"--model", "mva", "--demands", "0.5"}, "--population");
  expect_bad({"--model", "mva", "--demands", "-1", "--population", "1"}, "demand");
}

TEST_F(Queue, Laws) {
  const Json r = json({"--model", "laws", "--completions", "120", "--period", "10 min", "--residence", "30"});
  EXPECT_EQ(r.at("derived").at(1).at("value"), 6);
  const Json bounds =
      json({"--model", "laws", "--demands", "0.5,0.3", "--think", "2", "--population", "100"});
  EXPECT_EQ(bounds.at("bounds").at(0).at("throughput_bound_per_s"), 2);
  expect_bad({"--model", "mmc", "--arrival-rate", "0", "--service-time", "1"},
             "--arrival-rate: error: arrival rate 0");
  expect_bad({"--model", "mm1", "--arrival-rate", "1", "--service-time", "1", "--servers", "3"},
             "--servers: error:");
  expect_bad({"--model", "laws"}, "nothing follows");
}

TEST_F(Queue, Records) {
  write_records("r.csv", 1);
  const Outcome outcome = queue({"--records", "r.csv"});
  EXPECT_EQ(outcome.code, kDone) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("arrivals are Poisson (KS p="));
  EXPECT_THAT(outcome.out, HasSubstr("replay"));
  EXPECT_EQ(queue({"--records", "r.csv"}).out, outcome.out);
  const Json sized = json({"--records", "r.csv", "--target-p95", "0.1"});
  const Json& answers = sized.at("answers");
  EXPECT_GT(answers.at(0).at("servers"), 1);
  EXPECT_EQ(answers.at(1).at("answer"), "replay");
  EXPECT_EQ(answers.at(1).at("servers"), answers.at(0).at("servers"));
  EXPECT_EQ(sized.at("sizing").at("feasible"), true);
  const Outcome csv = queue({"--records", "r.csv", "--format", "csv"});
  EXPECT_EQ(std::ranges::count(csv.out, '\n'), 3) << "a header, the model, the replay";
  write_records("full.csv", 5);
  EXPECT_EQ(queue({"--records", "full.csv"}).code, kInfeasible);
  EXPECT_EQ(queue({"--records", "full.csv", "--servers", "4"}).code, kDone);
}

TEST_F(Queue, BadRecords) {
  write_records("r.csv", 1);
  expect_bad({"--records", "r.csv", "--service-column", "time"}, "time");
  expect_bad({"--records", "r.csv", "--servers", "1,2"}, "--servers");
  expect_bad({"--records", "r.csv", "--model", "mm1"}, "--model");
  expect_bad({"--records", "absent.csv"}, "absent.csv");
  // What contradicts itself is said before a file is read.
  expect_bad({"--records", "absent.csv", "--servers", "4", "--target-p95", "10 min"},
             "--servers: error: the number of servers is the answer when a target is given");
  expect_bad({"--records", "absent.csv", "--target-p95", "soon"}, "--target-p95: error:");
  expect_bad({"--records", "absent.csv", "--target-wait", "-3"}, "--target-wait: error: the target '-3'");
  write("one.csv", "arrival_s,service_s\n1,1\n");
  expect_bad({"--records", "one.csv"}, "has 1 jobs");
  write("empty.csv", "");
  expect_bad({"--records", "empty.csv"}, "empty.csv");
}

TEST_F(Queue, OptionsThatTheModelDoesNotReadAreRefused) {
  expect_bad({}, "--model is missing");
  expect_bad({"--model", "mm1", "--arrival-rate", "1", "--service-rate", "2", "--capacity", "3"},
             "--capacity");
  expect_bad({"--model", "mmc", "--arrival-rate", "1", "--service-rate", "2", "--service-scv", "3"},
             "--service-scv");
  expect_bad({"--model", "mva", "--arrival-rate", "1"}, "--arrival-rate");
  expect_bad({"--model", "mm1", "--arrival-rate", "1"}, "--service-time");
  expect_bad({"--model", "mm1", "--service-rate", "1"}, "--arrival-rate");
  expect_bad({"--model", "mm1", "--arrival-rate", "1", "--service-rate", "1", "--service-time", "1"},
             "--service-time");
  expect_bad({"--model", "md1", "--arrival-rate", "1"}, "md1");
  expect_bad({"--model", "mm1", "--arrival-rate", "0", "--service-rate", "1"}, "arrival rate");
  expect_bad({"--model", "mm1", "--arrival-rate", "nan", "--service-rate", "1"}, "arrival");
  expect_bad({"--model", "mm1", "--arrival-rate", "1", "--service-rate", "0"}, "--service-rate");
  expect_bad({"--model", "mmc", "--arrival-rate", "1", "--service-rate", "1", "--servers", "0"}, "--servers");
  expect_bad({"--model", "mm1", "--arrival-rate", "1e300", "--service-time", "1"}, "1e250");
  EXPECT_EQ(queue({"--model", "mm1", "--arrival-rate", "1e200", "--service-time", "1e200"}).code,
            kInfeasible);
}

}  // namespace
}  // namespace sextant::cli::test
