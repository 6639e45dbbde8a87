#include "sextant/jobs/generator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <numbers>
#include <sstream>

#include "error_of.h"
#include "sextant/core/csv.h"
#include "sextant/core/rng.h"
#include "sextant/core/text.h"
#include "sextant/jobs/trace_writer.h"
#include "shared_data.h"

namespace sextant::jobs {
namespace {

using sextant::test::error_of;
using ::testing::HasSubstr;

Trace made(const std::string& text, std::uint64_t seed = 0, const ThroughputTable* table = nullptr) {
  return generate_trace(parse_generator(text), seed, table);
}

double mean_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}
double quantile_of(std::vector<double> values, double q) {
  std::ranges::sort(values);
  return values[static_cast<std::size_t>(q * static_cast<double>(values.size()))];
}
std::vector<double> works(const Trace& trace) {
  std::vector<double> values;
  for (const TraceJob& job : trace.jobs) values.push_back(job.work);
  return values;
}

std::vector<double> gaps(const Trace& trace) {
  std::vector<double> values;
  for (std::size_t i = 1; i < trace.jobs.size(); ++i) {
    values.push_back(trace.jobs[i].arrival_s - trace.jobs[i - 1].arrival_s);
  }
  return values;
}

// 60 * 10^U: the mean of 10^U(a, b) is (10^b - 10^a) / ((b - a) ln 10).
TEST(Generator, GavelsDurationsAndGangs) {
  const Trace trace = made("gavel:jobs=200000:multi-gpu=1", 1);
  const double ln10 = std::log(10);
  const double mean = 0.8 * (1000 - std::pow(10, 1.5)) / (1.5 * ln10) + 0.2 * (10000 - 1000) / ln10;
  EXPECT_NEAR(mean, 1006.03, 0.01);  // minutes, as the notes have it
  // The deviation of one duration is about 1,900 min, so of the mean about 4.
  EXPECT_NEAR(mean_of(works(trace)) / 60, mean, 20);
  // Half of all: 0.8 (x - 1.5) / 1.5 = 0.5, so 10^2.4375 min.
  EXPECT_NEAR(std::pow(10, 2.4375), 273.8, 0.05);
  EXPECT_NEAR(quantile_of(works(trace), 0.5) / 60, 273.8, 4);
  double gpus = 0;
  for (const TraceJob& job : trace.jobs) gpus += job.gpus;
  EXPECT_NEAR(gpus / 200000, 0.7 + 0.2 + 0.6 + 0.4, 0.02);
  EXPECT_EQ(trace.models.size(), 26U);
  EXPECT_EQ(trace.unit, WorkUnit::reference_seconds);
}

TEST(Generator, GangsRunDistributedModelsOnly) {
  const Trace trace = made("gavel:jobs=5000:multi-gpu=1");
  std::map<std::string, int> most;
  for (const TraceJob& job : trace.jobs) {
    int& gpus = most[trace.models.at(static_cast<std::size_t>(job.model))];
    gpus = std::max(gpus, job.gpus);
  }
  EXPECT_EQ(most.size(), 26U);
  EXPECT_EQ(most["A3C"], 1);
  EXPECT_EQ(most["CycleGAN"], 1);
  EXPECT_EQ(most["Recommendation (batch size 512)"], 1);
  EXPECT_EQ(most["ResNet-50 (batch size 64)"], 8);
}

// A gap is -ln(1 - u) times the mean: 6,238.3 s for u = 0.5 and 9,000 s.
TEST(Generator, GapsAreExponential) {
  EXPECT_NEAR(-std::log(1 - 0.5) * 9000, 6238.3, 0.05);
  Rng rng = Rng(8).stream("workload").stream("arrival");
  const Trace trace = made("gavel:jobs=3:interarrival=9000", 8);
  const double first = rng.uniform();
  EXPECT_NEAR(trace.jobs[1].arrival_s, -std::log(1 - first) * 9000, 1e-6);
  EXPECT_THAT(gaps(made("gavel:jobs=9:interarrival=0")), ::testing::Each(0));
}

// Common random numbers: what is not set anew stays as it was, draw for draw.
TEST(Generator, EachQuantityHasItsOwnStream) {
  const Trace base = made("gavel:jobs=300:interarrival=100", 5);
  const Trace slower = made("gavel:jobs=300:interarrival=250:deadlines=2:users=9:weights=1+5", 5);
  const Trace fixed = made("gavel:jobs=300:interarrival=100:durations=fixed:multi-gpu=1", 5);
  for (std::size_t i = 0; i < base.jobs.size(); ++i) {
    EXPECT_NEAR(slower.jobs[i].arrival_s, 2.5 * base.jobs[i].arrival_s, 1e-6);
    EXPECT_EQ(slower.jobs[i].work, base.jobs[i].work);
    EXPECT_EQ(slower.jobs[i].model, base.jobs[i].model);
    EXPECT_EQ(slower.jobs[i].deadline_s, slower.jobs[i].arrival_s + 2 * base.jobs[i].work);
    EXPECT_EQ(fixed.jobs[i].arrival_s, base.jobs[i].arrival_s);
    EXPECT_EQ(fixed.jobs[i].work, 3600);
  }
  EXPECT_NE(made("gavel", 1).jobs[1].arrival_s, made("gavel", 2).jobs[1].arrival_s);
}

TEST(Generator, SameSeedSameBytes) {
  std::ostringstream first;
  std::ostringstream second;
  write_trace(first, made("philly:jobs=2000", 3));
  write_trace(second, made("philly:jobs=2000", 3));
  EXPECT_EQ(first.str(), second.str());
}

// Whatever the process: the mean gap is the one that was asked for, and time never goes back.
TEST(Generator, AllArrivalsKeepTheMeanGap) {
  for (const char* arrivals :
       {"poisson", "diurnal:amplitude=1", "diurnal:amplitude=0.3:period=1h", "bursts:burst-factor=20"}) {
    const Trace trace = made(std::string("gavel:jobs=200000:interarrival=60:arrivals=") + arrivals, 2);
    const std::vector<double> between = gaps(trace);
    EXPECT_GE(*std::ranges::min_element(between), 0) << arrivals;
    // Bursts are the widest: about 476 cycles of 7 h in 139 days, each of random length.
    EXPECT_NEAR(mean_of(between), 60, 6) << arrivals;
    EXPECT_EQ(trace.jobs[0].arrival_s, 0);
  }
}

// Jobs in the first half of the day over all: 1/2 + amplitude / pi, the integral of 1 + a sin.
TEST(Generator, DiurnalArrivalsFollowTheDay) {
  const Trace trace = made("gavel:jobs=200000:interarrival=60:arrivals=diurnal:amplitude=0.6", 2);
  double first_half = 0;
  for (const TraceJob& job : trace.jobs) first_half += std::fmod(job.arrival_s, 86400) < 43200 ? 1 : 0;
  EXPECT_NEAR(first_half / 200000, 0.5 + 0.6 / std::numbers::pi, 0.01);
}

// Squared coefficient of variation of the gaps: 1 for Poisson, above it for bursts.
TEST(Generator, BurstsVaryMore) {
  const auto variation = [](const Trace& trace) {
    const std::vector<double> between = gaps(trace);
    const double mean = mean_of(between);
    double squares = 0;
    for (const double gap : between) squares += (gap - mean) * (gap - mean);
    return squares / static_cast<double>(between.size()) / (mean * mean);
  };
  EXPECT_NEAR(variation(made("gavel:jobs=100000:interarrival=60")), 1, 0.05);
  EXPECT_GT(variation(made("gavel:jobs=100000:interarrival=60:arrivals=bursts")), 2);
}

TEST(Generator, LawsOfDurations) {
  const std::vector<double> lognormal =
      works(made("gavel:jobs=100000:durations=lognormal:median=1h:sigma=1.5"));
  EXPECT_NEAR(quantile_of(lognormal, 0.5), 3600, 60);
  EXPECT_NEAR(quantile_of(lognormal, 0.8413), 3600 * std::exp(1.5), 600);
  const std::vector<double> pareto =
      works(made("gavel:jobs=100000:durations=pareto:low=100:high=10000:shape=2"));
  EXPECT_GE(*std::ranges::min_element(pareto), 100);
  EXPECT_LE(*std::ranges::max_element(pareto), 10000);
  // Mean for shape 2: 2 L (1 - L/H) / (1 - (L/H)^2).
  EXPECT_NEAR(mean_of(pareto), 2 * 100 * 0.99 / (1 - 1e-4), 4);
  EXPECT_NEAR(mean_of(works(made("markov:jobs=100000:mean=10min"))), 600, 8);
  EXPECT_THAT(works(made("gavel:jobs=10:durations=fixed:duration=2h")), ::testing::Each(7200));
}

TEST(Generator, ListsAndUsers) {
  const Trace trace = made(
      "gavel:jobs=50000:weights=1@0.8+5@0.2:priorities=0@3+1@1:deadlines=0@0.5+1.2@0.5:users=3:estimate-"
      "sigma=0");
  double heavy = 0;
  double urgent = 0;
  double late = 0;
  std::vector<double> by_user(3);
  for (const TraceJob& job : trace.jobs) {
    heavy += job.weight == 5 ? 1 : 0;
    urgent += job.priority == 1 ? 1 : 0;
    late += std::isfinite(job.deadline_s) ? 1 : 0;
    by_user.at(static_cast<std::size_t>(job.user)) += 1;
    ASSERT_EQ(job.estimate_s, job.work);
  }
  EXPECT_NEAR(heavy / 50000, 0.2, 0.01);
  EXPECT_NEAR(urgent / 50000, 0.25, 0.01);
  EXPECT_NEAR(late / 50000, 0.5, 0.01);
  EXPECT_NEAR(by_user[0] / by_user[2], 3, 0.2);  // Zipf: 1, 1/2, 1/3
  EXPECT_EQ(trace.users.size(), 3U);
}

constexpr const char* kTable =
    R"json({"v100": {"('A', 1)": {"null": 2}, "('A', 2)": {"null": 3}, "('B', 1)": {"null": 10}},
 "k80": {"('A', 1)": {"null": 1}}})json";

TEST(Generator, StepsAreDurationTimesSpeed) {
  const ThroughputTable table = ThroughputTable::parse(kTable, "t.json");
  const Trace seconds = made("gavel:jobs=400:gpus=1+2:models=A+B", 4);
  const Trace steps = made("gavel:jobs=400:gpus=1+2:models=A+B", 4, &table);
  EXPECT_EQ(steps.unit, WorkUnit::steps);
  for (std::size_t i = 0; i < steps.jobs.size(); ++i) {
    const TraceJob& job = steps.jobs[i];
    const bool b = steps.models.at(static_cast<std::size_t>(job.model)) == "B";
    EXPECT_EQ(job.gpus, seconds.jobs[i].gpus);
    EXPECT_FALSE(b && job.gpus == 2);  // the table has no such gang
    EXPECT_EQ(job.work, std::floor(seconds.jobs[i].work * (b ? 10 : job.gpus == 2 ? 3 : 2)));
  }
  EXPECT_THAT(error_of([&] { (void)made("gavel", 0, &table); }), HasSubstr("has no model 'ResNet-18"));
  EXPECT_THAT(error_of([&] { (void)made("markov:gpus=4", 0, &table); }),
              HasSubstr("no model may run on 4 GPUs"));
  EXPECT_THAT(error_of([&] { (void)made("markov:reference=v10", 0, &table); }),
              HasSubstr("did you mean 'v100'"));
}

TEST(Generator, WhatIsWrongIsNamed) {
  const auto wrong = [](const std::string& text) {
    return error_of([&] { (void)parse_generator(text, {"SPEC"}); });
  };
  EXPECT_THAT(wrong("gavle"), HasSubstr("did you mean 'gavel'"));
  EXPECT_THAT(wrong("gavel:job=5"), HasSubstr("did you mean 'jobs'"));
  EXPECT_THAT(wrong("gavel:jobs=many"), HasSubstr("SPEC: error: jobs=many: not a number"));
  EXPECT_THAT(wrong("gavel:jobs=1.5"), HasSubstr("not a whole number"));
  EXPECT_THAT(wrong("gavel:jobs=0"), HasSubstr("SPEC: error: the setting 'jobs' must be from 1"));
  EXPECT_THAT(wrong("gavel:jobs=1e12"), HasSubstr("SPEC: error: the setting 'jobs' must be from 1"));
  EXPECT_THAT(wrong("gavel:interarrival=nan"), HasSubstr("not a number"));
  EXPECT_THAT(wrong("gavel:interarrival=-3"), HasSubstr("SPEC: error: the setting 'interarrival' must be"));
  EXPECT_THAT(wrong("gavel:amplitude=1"), HasSubstr("has a meaning with arrivals=diurnal only"));
  EXPECT_THAT(wrong("gavel:arrivals=dirnal"), HasSubstr("did you mean 'diurnal'"));
  EXPECT_THAT(wrong("gavel:gpus=1@x"), HasSubstr("as in 1@0.7+2@0.3"));
  EXPECT_THAT(wrong("gavel:gpus=0"), HasSubstr("not a number of GPUs"));
  EXPECT_THAT(wrong("gavel:gpus=1@0"), HasSubstr("no weight above 0"));
  EXPECT_THAT(wrong("gavel:arrivals=recorded"), HasSubstr("gaps"));
  EXPECT_THAT(wrong("gavel:arrivals=recorded:gaps=nowhere.csv"), HasSubstr("nowhere.csv"));
  EXPECT_THAT(wrong("gavel:arrivals=bursts:burst-length=1:calm-length=1:interarrival=1e9"),
              HasSubstr("far shorter"));
  EXPECT_THAT(error_of([] { (void)made("gavel:exact=1:users=3"); }), HasSubstr("has no such settings"));
}

TEST(Generator, Toml) {
  const Generator g = parse_generator_toml(
      "preset = \"philly\"\njobs = 70\ninterarrival = \"2 min\"\nmodels = [\"A@2\", \"B\"]\ngpus = 4\n",
      "w.toml");
  EXPECT_EQ(g.jobs, 70);
  EXPECT_EQ(g.interarrival_s, 120);
  ASSERT_EQ(g.models.size(), 2U);
  EXPECT_EQ(g.models[0].weight, 2);
  EXPECT_EQ(g.gpus, (WeightedValues<std::int32_t>{{4, 1.0}}));
  EXPECT_THAT(error_of([] { (void)parse_generator_toml("jobs = 3\nsgma = 2\n", "w.toml"); }),
              HasSubstr("w.toml:2:8: error: a generator has no setting 'sgma'"));
  EXPECT_THAT(error_of([] { (void)parse_generator_toml("preset = \"x\"\n", "w.toml"); }),
              HasSubstr("w.toml:1:10"));
}

TEST(Generator, RecordedGapsAndDurations) {
  const auto folder =
      std::filesystem::temp_directory_path() / ("sextant_generator_" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "trace.csv") << "arrival_s,gpus,reference_s\n5,1,60\n6,1,60\n9,1,60\n";
  std::ofstream(folder / "gputime.csv") << "gpu_time_s\n800\n1600\n";
  std::ofstream(folder / "w.toml")
      << "preset = 'gavel'\njobs = 5\narrivals = 'recorded'\ngaps = 'trace.csv'\n"
         "durations = 'empirical'\ndurations-file = 'gputime.csv'\ngpus = 8\n";
  const std::string file = (folder / "w.toml").string();
  const Trace trace = made(file);
  std::vector<double> arrivals;
  for (const TraceJob& job : trace.jobs) arrivals.push_back(job.arrival_s);
  EXPECT_EQ(arrivals, (std::vector<double>{0, 1, 4, 5, 8}));
  EXPECT_THAT(works(trace), ::testing::Each(::testing::AnyOf(100, 200)));  // GPU time on 8 GPUs
  Generator scaled = parse_generator(file);
  scaled.interarrival_s = 20;  // the mean gap is 2
  scaled.interarrival_set = true;
  EXPECT_EQ(generate_trace(scaled, 0).jobs[1].arrival_s, 10);
  std::filesystem::remove_all(folder);
}

// Gavel's own traces, field by field: model, steps, GPUs, weight and arrival.
TEST(Generator, ExactModeRepeatsGavel) {
  SEXTANT_NEEDS_DATA(reference, "../reference/gavel/traces");
  SEXTANT_NEEDS_DATA(throughputs, "gavel/simulation_throughputs.json");
  const ThroughputTable table = ThroughputTable::read_file(throughputs);
  for (const auto& [file, text] : std::map<std::string, std::string>{
           {"/cont_single_n500_lam720_s0.trace", "gavel:exact=1:interarrival=720"},
           {"/cont_multi_n500_lam1800_s0.trace", "gavel:exact=1:interarrival=30min:multi-gpu=1"}}) {
    std::ostringstream out;
    write_trace(out, made(text, 0, &table), "gavel");
    const std::vector<std::string> ours = split(out.str(), '\n');
    const std::vector<std::string> theirs = split(read_text_file(reference + file), '\n');
    ASSERT_EQ(ours.size(), theirs.size());
    for (std::size_t i = 0; i + 1 < ours.size(); ++i) {
      const auto a = split(ours[i], '\t');
      const auto b = split(theirs[i], '\t');
      for (const std::size_t field : {0, 5, 6, 7, 8, 9})
        ASSERT_EQ(a.at(field), b.at(field)) << file << ":" << i + 1;
    }
  }
}

}  // namespace
}  // namespace sextant::jobs
