#include "sextant/queueing/diagnosis.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "error_of.h"
#include "sextant/core/text.h"

namespace sextant::queueing {
namespace {

using sextant::test::error_of;

JobRecords made(const Distribution& gap, const Distribution& service, std::size_t count, std::uint64_t seed) {
  Rng arrivals = Rng(seed).stream("arrivals");
  Rng services = Rng(seed).stream("services");
  JobRecords records;
  double clock = 0;
  for (std::size_t i = 0; i < count; ++i) {
    records.interarrival_s.push_back(draw(gap, arrivals));
    records.arrival_s.push_back(clock += records.interarrival_s.back());
    records.service_s.push_back(draw(service, services));
  }
  return records;
}

DiagnosisOptions options(std::int64_t servers) {
  return {.servers = servers, .replicates = 99};
}

TEST(Diagnosis, ChoosesTheStrictestModelThatHolds) {
  struct Case {
    Distribution gap, service;
    std::int64_t servers;
    const char* model;
  };
  const std::vector<Case> cases = {{Exponential{2}, Exponential{1}, 1, "M/M/1"},
                                   {Exponential{0.5}, Exponential{1}, 4, "M/M/c"},
                                   {Exponential{2}, Gamma{4, 0.25}, 1, "M/G/1"},
                                   {Exponential{0.5}, LogNormal{-0.5, 1}, 4, "M/G/c"},
                                   {Gamma{3, 0.5}, Exponential{1}, 1, "G/G/1"},
                                   {HyperExponential{0.8, 0.1, 2}, LogNormal{-0.5, 1}, 4, "G/G/c"}};
  for (const auto& c : cases) {
    const Diagnosis d = diagnose(made(c.gap, c.service, 600, 8), options(c.servers));
    EXPECT_TRUE(d.may_be_used) << d.reason;
    EXPECT_EQ(d.result.model, c.model) << d.reason;
    EXPECT_TRUE(d.result.stable);
    EXPECT_NE(d.reason.find(c.model), std::string::npos) << d.reason;
    EXPECT_EQ(d.load.servers, c.servers);
    EXPECT_EQ(d.replay.jobs, 600U);
  }
}

TEST(Diagnosis, ModelAndReplayAgreeWhereTheModelHolds) {
  const Diagnosis d = diagnose(made(Exponential{1 / 2.4}, Gamma{2, 0.5}, 20'000, 3), options(3));
  EXPECT_EQ(d.result.model, "M/G/c");
  EXPECT_NEAR(d.result.waiting.value, d.replay.waiting.value, 0.1 * d.replay.waiting.value);
  EXPECT_NEAR(d.result.utilisation, 0.8, 0.02);
  EXPECT_EQ(d.arrivals.tested, 1000U);
}

TEST(Diagnosis, TheTrueFamilyIsNotRejected) {
  const Diagnosis d = diagnose(made(Exponential{2}, Weibull{0.6, 0.5}, 2000, 4), options(1));
  EXPECT_EQ(d.services.fits.front().family, Family::weibull);
  EXPECT_GE(d.services.fits.front().kolmogorov->p, 0.01);
  EXPECT_TRUE(d.services.fits.front().chi_square.has_value());
}

TEST(Diagnosis, ATrueModelIsRarelyRefused) {
  int refused = 0;
  for (std::uint64_t seed = 0; seed < 25; ++seed) {
    const Diagnosis d = diagnose(made(Exponential{2}, Exponential{1}, 120, 100 + seed),
                                 {.servers = 1, .replicates = 99, .most_tested = 120});
    refused += d.result.model == "M/M/1" ? 0 : 1;
  }
  EXPECT_LE(refused, 5) << "six tests at 1 %: 1.5 of 25 expected at most";
}

TEST(Diagnosis, TheIntervalOfTheWaitHoldsTheTruth) {
  // M/M/1 at rho = 1/2: the true wait is 1. Few records leave much open, many little.
  int covered = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const Diagnosis d = diagnose(made(Exponential{2}, Exponential{1}, 200, 300 + seed),
                                 {.level = 1e-6, .replicates = 1, .most_tested = 20});
    covered += d.waiting_interval_s.contains(1) ? 1 : 0;
  }
  EXPECT_GE(covered, 34) << "38 of 40 expected";
  const Diagnosis many = diagnose(made(Exponential{2}, Exponential{1}, 20'000, 1), options(1));
  EXPECT_LT(many.waiting_interval_s.width(), 0.25);
  EXPECT_TRUE(many.waiting_interval_s.contains(many.result.waiting.value));
}

TEST(Diagnosis, NearTheLimitTheIntervalIsUnbounded) {
  const Diagnosis d = diagnose(made(Exponential{1}, Exponential{0.97}, 100, 2), options(1));
  EXPECT_TRUE(std::isinf(d.waiting_interval_s.high));
}

TEST(Diagnosis, StreaksAllowNoModel) {
  JobRecords records = made(Exponential{2}, Exponential{1}, 500, 5);
  for (std::size_t i = 1; i < 500; ++i) {
    records.interarrival_s[i] = 0.6 * records.interarrival_s[i - 1] + 0.4 * records.interarrival_s[i];
    records.arrival_s[i] = records.arrival_s[i - 1] + records.interarrival_s[i];
  }
  const Diagnosis d = diagnose(records, options(1));
  EXPECT_FALSE(d.may_be_used);
  EXPECT_NE(d.reason.find("depend on each other"), std::string::npos) << d.reason;
  EXPECT_NE(d.reason.find("no model may be used"), std::string::npos) << d.reason;
  ASSERT_FALSE(d.warnings.empty());
  EXPECT_EQ(d.result.model, "G/G/1");
}

TEST(Diagnosis, ARateThatChangesAllowsNoModel) {
  JobRecords records = made(Exponential{2}, Exponential{1}, 600, 6);
  double clock = 0;
  for (std::size_t i = 0; i < 600; ++i) {
    if (i >= 300) records.interarrival_s[i] /= 3;
    records.arrival_s[i] = clock += records.interarrival_s[i];
  }
  const Diagnosis d = diagnose(records, options(2));
  EXPECT_FALSE(d.arrivals.steady);
  EXPECT_FALSE(d.may_be_used);
}

TEST(Diagnosis, AChangeThatOnlyManyRecordsRevealIsNone) {
  const auto changed = [](double by) {
    JobRecords records = made(Exponential{2}, Exponential{1}, 40'000, 6);
    double clock = 0;
    for (std::size_t i = 0; i < 40'000; ++i) {
      if (i >= 20'000) records.interarrival_s[i] /= by;
      records.arrival_s[i] = clock += records.interarrival_s[i];
    }
    return diagnose(records, {.servers = 2, .replicates = 19, .most_tested = 100}).arrivals;
  };
  const TimesDiagnosis slight = changed(1.05);
  EXPECT_LE(slight.level.p, 0.01) << "rejected, but for the size of the effect";
  EXPECT_TRUE(slight.steady);
  EXPECT_FALSE(changed(1.15).steady);
}

TEST(Diagnosis, ConstantTimesAreAFamily) {
  const Diagnosis d = diagnose(made(Constant{2}, Constant{1}, 50, 1), options(1));
  EXPECT_TRUE(d.may_be_used);
  EXPECT_EQ(d.services.fits.front().family, Family::constant);
  EXPECT_EQ(d.services.scv, 0);
  EXPECT_EQ(d.result.waiting, Seconds{0});
  EXPECT_EQ(d.replay.waiting, Seconds{0});
}

TEST(Diagnosis, AnOverloadIsAResult) {
  const Diagnosis d = diagnose(made(Exponential{1}, Exponential{2.5}, 200, 1), options(1));
  EXPECT_FALSE(d.result.stable);
  EXPECT_EQ(d.result.stable_servers, 3);
}

TEST(Diagnosis, ServersCanBeChanged) {
  const JobRecords records = made(Exponential{2}, Exponential{1}, 300, 8);
  Diagnosis d = diagnose(records, options(1));
  ASSERT_EQ(d.result.model, "M/M/1");
  change_servers(d, records, 3);
  EXPECT_EQ(d.result.model, "M/M/c");
  EXPECT_EQ(d.replay.servers, 3);
  EXPECT_EQ(d.model, QueueModel::mmc);
}

TEST(Diagnosis, RoundedAndFewTimesAreNamed) {
  JobRecords records = made(Exponential{20}, Exponential{10}, 60, 9);
  for (double& s : records.service_s) s = std::ceil(s);
  const Diagnosis d = diagnose(records, options(1));
  const std::string all = join(d.warnings, "\n");
  EXPECT_NE(all.find("only 60 jobs"), std::string::npos) << all;
  EXPECT_NE(all.find("rounded"), std::string::npos) << all;
}

TEST(Diagnosis, OneOutlierAmongConstantsIsNoCrash) {
  JobRecords records = made(Exponential{2}, Constant{1}, 3000, 1);
  records.service_s[17] = 5;
  const Diagnosis d = diagnose(records, {.servers = 1, .replicates = 19, .most_tested = 30});
  EXPECT_FALSE(d.services.exponential);
}

TEST(JobRecords, InstantsOrGaps) {
  std::string instants = "arrival_s,service_s\n";
  std::string gaps = "service_s,interarrival_s\n";
  for (int i = 1; i <= 25; ++i) {
    instants += std::to_string(100 + 2 * i) + ",1\n";
    gaps += "1,2\n";
  }
  const JobRecords a = job_records(CsvTable::parse(instants, "a.csv"));
  EXPECT_EQ(a.interarrival_s, std::vector<double>(24, 2.0));
  EXPECT_EQ(a.service_s.size(), 25U);
  const JobRecords b = job_records(CsvTable::parse(gaps, "b.csv"));
  EXPECT_EQ(b.interarrival_s.size(), 25U);
  EXPECT_EQ(b.arrival_s.back(), 50);
}

std::string table_with(const std::string& line) {
  std::string text = "arrival_s,service_s\n";
  for (int i = 0; i < 20; ++i) text += std::to_string(i) + ",1\n";
  return text + line + "\n";
}

TEST(JobRecords, BadTables) {
  const auto read = [](const std::string& text) {
    return error_of([&] { job_records(CsvTable::parse(text, "r.csv")); });
  };
  EXPECT_EQ(read(table_with("20,1")), "no error");
  EXPECT_NE(read("arrival_s,service_s\n1,1\n").find("has 1 jobs"), std::string::npos);
  EXPECT_NE(read("arrival_s,service_s\n").find("has 0 jobs"), std::string::npos);
  EXPECT_NE(read("arrived,service_s\n1,1\n").find("arrival_s"), std::string::npos);
  EXPECT_NE(read("arrival_s,service\n1,1\n").find("service_s"), std::string::npos);
  EXPECT_NE(read(table_with("3,1")).find("r.csv:22:1: error: this job arrives before"), std::string::npos);
  EXPECT_NE(read(table_with("20,-1")).find("r.csv:22:4"), std::string::npos);
  EXPECT_NE(read(table_with("20,nan")), "no error");
  EXPECT_NE(read(table_with("20,1e300")), "no error");
  EXPECT_NE(read(table_with("1e300,1")), "no error");
  EXPECT_NE(read(table_with("x,1")), "no error");
}

TEST(JobRecords, AllTimesZeroIsAnError) {
  std::string text = "interarrival_s,service_s\n";
  for (int i = 0; i < 20; ++i) text += "0,0\n";
  const JobRecords records = job_records(CsvTable::parse(text, "z.csv"));
  EXPECT_NE(error_of([&] { diagnose(records); }).find("0"), std::string::npos);
}

}  // namespace
}  // namespace sextant::queueing
