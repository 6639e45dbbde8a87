#include "sextant/jobs/trace_writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "sextant/core/error.h"
#include "sextant/core/rng.h"
#include "shared_data.h"

namespace sextant::jobs {
namespace {

std::string name_at(const std::vector<std::string>& names, std::int32_t place) {
  return place < 0 ? "-" : names.at(static_cast<std::size_t>(place));
}

void expect_same(const Trace& a, const Trace& b) {
  ASSERT_EQ(a.jobs.size(), b.jobs.size());
  EXPECT_EQ(a.unit, b.unit);
  for (std::size_t i = 0; i < a.jobs.size(); ++i) {
    const TraceJob& x = a.jobs[i];
    const TraceJob& y = b.jobs[i];
    EXPECT_EQ(x.id, y.id);
    EXPECT_EQ(x.arrival_s, y.arrival_s);
    EXPECT_EQ(x.gpus, y.gpus);
    EXPECT_EQ(name_at(a.models, x.model), name_at(b.models, y.model));
    EXPECT_EQ(name_at(a.users, x.user), name_at(b.users, y.user));
    EXPECT_EQ(x.work, y.work);
    EXPECT_EQ(x.weight, y.weight);
    EXPECT_EQ(x.priority, y.priority);
    EXPECT_EQ(x.deadline_s, y.deadline_s);
    EXPECT_EQ(x.estimate_s, y.estimate_s);
    EXPECT_EQ(x.gpu_share, y.gpu_share);
    EXPECT_EQ(x.cpus, y.cpus);
    EXPECT_EQ(x.memory_gib, y.memory_gib);
    EXPECT_EQ(x.types, y.types);
  }
}

std::string written(const Trace& trace, const std::string& format = "sextant") {
  std::ostringstream out;
  write_trace(out, trace, format);
  return out.str();
}

// Jobs with every field set or unset at random, and names that CSV must quote.
Trace random_trace(std::uint64_t seed) {
  Rng rng(seed);
  Trace trace{.source = "test", .format = "generated"};
  trace.unit = rng.uniform() < 0.5 ? WorkUnit::steps : WorkUnit::reference_seconds;
  trace.models = {"plain", "with, comma", "with \"quotes\"", "on\ntwo lines"};
  trace.users = {"u", "v w"};
  double arrival = 0;
  const auto some = [&rng](double value, double otherwise) {
    return rng.uniform() < 0.5 ? value : otherwise;
  };
  for (int i = 0; i < 40; ++i) {
    arrival += rng.exponential(100);
    TraceJob job{.id = "job " + std::to_string(i), .arrival_s = arrival};
    job.gpus = static_cast<std::int32_t>(1 + rng.below(64));
    job.model = static_cast<std::int32_t>(rng.below(5)) - 1;
    job.user = static_cast<std::int32_t>(rng.below(3)) - 1;
    job.work = 1 + rng.exponential(1e5);
    job.weight = some(0.1 + rng.uniform(), 1);
    job.priority = some(rng.uniform() - 0.5, 0);
    job.deadline_s = some(arrival + rng.exponential(1e4), job.deadline_s);
    job.estimate_s = some(rng.exponential(1e4), 0);
    job.gpu_share = some(0.25, 1);
    job.cpus = some(3.5, 0);
    job.memory_gib = some(rng.exponential(64), 0);
    if (rng.uniform() < 0.3) job.types = {"V100", "RTX 2080 Ti"};
    trace.jobs.push_back(job);
  }
  return trace;
}

TEST(TraceWriter, WhatIsWrittenReadsBackExactly) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Trace trace = random_trace(seed);
    const std::string text = written(trace);
    const Trace back = parse_trace(text, "t");
    expect_same(trace, back);
    EXPECT_EQ(written(back), text);
  }
}

TEST(TraceWriter, ColumnsThatSayNothingAreLeftOut) {
  const Trace trace = parse_trace("submit_s,duration_s,num_gpus,vc\n0,60,8,a\n", "t");
  EXPECT_EQ(written(trace), "id,arrival_s,gpus,reference_s,user\n0,0,8,60,a\n");
}

TEST(TraceWriter, GavelsFormat) {
  const std::string text = "A3C\t-\t-\t-\t0\t250\t1\t5\t-1.000000\t100.500000\n";
  EXPECT_EQ(written(parse_trace(text, "t"), "gavel"), text);
  const std::string shockwave = "A3C\t-\t-\t-\t0\t250\t1\tstatic\t1\t2.000000\t300\t100.000000\n";
  EXPECT_EQ(written(parse_trace(shockwave, "t"), "gavel"), shockwave);
  EXPECT_THROW((void)written(parse_trace("submit_s,duration_s,num_gpus,vc\n0,60,8,a\n", "t"), "gavel"),
               InputError);
  EXPECT_THROW((void)written(parse_trace(text, "t"), "helios"), InputError);
}

TEST(TraceWriter, PublicTracesReadBack) {
  SEXTANT_NEEDS_DATA(folder, "cluster-traces");
  for (const char* name :
       {"/alibaba_v2023_pod_list_default.csv", "/tiresias_60_job.csv", "/sia_workloads/saturn-1.csv"}) {
    const Trace trace = read_trace(folder + name);
    expect_same(trace, parse_trace(written(trace), "t"));
  }
}

}  // namespace
}  // namespace sextant::jobs
