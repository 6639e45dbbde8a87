// One suite for all readers: each knows its own files and no other's, and says where a file is wrong.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>

#include "sextant/core/csv.h"
#include "sextant/core/error.h"
#include "sextant/core/rng.h"
#include "sextant/jobs/trace.h"
#include "shared_data.h"

namespace sextant::jobs {
namespace {

using ::testing::HasSubstr;

std::string trace_error(const std::string& text, const std::string& format = "") {
  try {
    (void)parse_trace(text, "t", format);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

constexpr const char* kPhillyLog = R"([
 {"status": "Pass", "vc": "a", "jobid": "j1", "user": "u", "submitted_time": "2017-10-09 00:00:10",
  "attempts": [{"start_time": "2017-10-09 00:00:20", "end_time": "2017-10-09 00:01:20",
                "detail": [{"ip": "m1", "gpus": ["gpu0", "gpu1"]}, {"ip": "m2", "gpus": ["gpu0"]}]},
               {"start_time": "2017-10-09 00:02:00", "end_time": "2017-10-09 00:02:30",
                "detail": [{"ip": "m1", "gpus": ["gpu0", "gpu1"]}]}]},
 {"status": "Killed", "vc": "b", "jobid": "j0", "submitted_time": "2017-10-08 23:59:50",
  "attempts": [{"start_time": "2017-10-09 00:00:00", "end_time": "2017-10-09 00:00:05",
                "detail": [{"ip": "m1", "gpus": ["gpu3"]}]}]},
 {"status": "Failed", "vc": "b", "jobid": "j2", "submitted_time": "2017-10-09 01:00:00", "attempts": []},
 {"status": "Pass", "vc": "b", "jobid": "j3", "submitted_time": "2017-10-09 01:00:00",
  "attempts": [{"start_time": "2017-10-09 01:00:00", "end_time": "None",
                "detail": [{"ip": "m1", "gpus": ["gpu3"]}]}]}
])";

// A small file of each format: a seed of the fuzzer that is named like the format, without its first byte,
// which says how to read it.
std::string sample_of(const std::string& id) {
  const std::string path = std::string(SEXTANT_SOURCE_DIR) + "/facts/jobs/fuzz/corpus/trace/" + id;
  if (!std::filesystem::exists(path)) {
    ADD_FAILURE() << "a trace format needs a sample: " << path;
    return "?";
  }
  return read_text_file(path).substr(1);
}

const std::map<std::string, std::string>& samples() {
  static const std::map<std::string, std::string> all = [] {
    std::map<std::string, std::string> texts;
    for (const TraceFormat& format : trace_formats().all()) texts[format.id] = sample_of(format.id);
    return texts;
  }();
  return all;
}

TEST(TraceFormats, EachDetectsItsOwnFilesOnly) {
  for (const TraceFormat& format : trace_formats().all()) {
    for (const auto& [id, text] : samples()) EXPECT_EQ(format.detects(text), id == format.id) << id;
    EXPECT_FALSE(format.summary.empty());
    EXPECT_FALSE(format.reference.empty());
  }
}

// Whatever a trace came from: arrivals never fall, gangs and work are positive, and no row is lost unsaid.
TEST(TraceFormats, JobsAreSoundAndRowsAreAccountedFor) {
  for (const auto& [id, text] : samples()) {
    const Trace trace = parse_trace(text, "t");
    EXPECT_EQ(trace.format, id);
    double before = 0;
    std::int64_t dropped = 0;
    for (const auto& [reason, rows] : trace.dropped) dropped += rows;
    EXPECT_EQ(trace.rows, static_cast<std::int64_t>(trace.jobs.size()) + dropped) << id;
    for (const TraceJob& job : trace.jobs) {
      EXPECT_GE(job.arrival_s, before);
      EXPECT_GE(job.gpus, 1);
      EXPECT_GT(job.work, 0);
      EXPECT_GT(job.line, 0);
      before = job.arrival_s;
    }
  }
}

// A byte changed anywhere is read or refused as bad input, and nothing else.
TEST(TraceFormats, DamageIsBadInput) {
  Rng rng(7);
  for (const auto& [id, text] : samples()) {
    for (int i = 0; i < 300; ++i) {
      std::string damaged = text;
      const auto at = static_cast<std::size_t>(rng.below(text.size()));
      damaged[at] = static_cast<char>(rng.below(256));
      if (rng.uniform() < 0.3) damaged.resize(at);
      try {
        (void)parse_trace(damaged, "t", id);
      } catch (const InputError&) {
      }
    }
  }
}

TEST(TraceFormats, Alibaba) {
  const Trace trace = parse_trace(samples().at("alibaba-v2023"), "t");
  ASSERT_EQ(trace.jobs.size(), 1U);
  EXPECT_EQ(trace.dropped.at("without GPU"), 1);
  EXPECT_EQ(trace.dropped.at("never started"), 1);
  const TraceJob& job = trace.jobs[0];
  EXPECT_EQ(job.work, 90);
  EXPECT_DOUBLE_EQ(job.gpu_share, 0.46);
  EXPECT_EQ(job.cpus, 12);
  EXPECT_EQ(job.memory_gib, 16);
  EXPECT_EQ(job.types, (std::vector<std::string>{"P100", "V100M16"}));
}

TEST(TraceFormats, HeliosIsSortedAndStartsAtZero) {
  const Trace trace = parse_trace(
      "job_id,user,vc,gpu_num,cpu_num,node_num,state,submit_time,start_time,end_time,duration,queue\n"
      "7,u1,vc1,8,48,1,COMPLETED,2020-04-01 00:01:00,x,x,3600,0\n"
      "8,u1,vc1,0,48,1,COMPLETED,2020-04-01 00:01:00,x,x,3600,0\n"
      "9,u2,vc2,1,6,1,FAILED,2020-03-31 23:59:00,x,x,10,0\n",
      "t");
  ASSERT_EQ(trace.jobs.size(), 2U);
  EXPECT_EQ(trace.jobs[0].id, "9");
  EXPECT_EQ(trace.jobs[0].arrival_s, 0);
  EXPECT_EQ(trace.jobs[1].arrival_s, 120);
  EXPECT_EQ(trace.users.at(static_cast<std::size_t>(trace.jobs[1].user)), "vc1");
}

// 3.2 GPU-hours on 4 GPUs are 0.8 h; the assumption can be set.
TEST(TraceFormats, SiaStatesItsAssumption) {
  const Trace usual = parse_trace(samples().at("sia"), "t");
  EXPECT_DOUBLE_EQ(usual.jobs[0].work, 0.8 * 3600);
  EXPECT_THAT(usual.notes.at(0), HasSubstr("assumption"));
  const Trace set = parse_trace(samples().at("sia"), "t", "sia:bert=8");
  EXPECT_DOUBLE_EQ(set.jobs[0].work, 2 * 3600);
  EXPECT_THAT(set.notes.at(0), HasSubstr("bert 8"));
  EXPECT_THAT(trace_error(samples().at("sia"), "sia:brt=8"), HasSubstr("did you mean 'bert'"));
}

TEST(PhillyLog, OneJobPerId) {
  const Trace trace = parse_trace(kPhillyLog, "t");
  ASSERT_EQ(trace.jobs.size(), 2U);
  EXPECT_EQ(trace.rows, 4);
  EXPECT_EQ(trace.dropped.at("never started"), 1);
  EXPECT_EQ(trace.dropped.at("still running"), 1);
  EXPECT_EQ(trace.jobs[0].id, "j0");  // submitted 20 s before j1
  EXPECT_EQ(trace.jobs[1].id, "j1");
  EXPECT_EQ(trace.jobs[1].arrival_s, 20);
  EXPECT_EQ(trace.jobs[1].gpus, 3);
  EXPECT_EQ(trace.jobs[1].work, 60 + 30);
  EXPECT_EQ(trace.jobs[1].line, 2);
  EXPECT_EQ(trace.jobs[0].line, 7);
  EXPECT_EQ(trace.users.size(), 2U);
}

TEST(PhillyLog, OneJobPerAttempt) {
  const Trace trace = parse_trace(kPhillyLog, "t", "philly:attempts=1");
  ASSERT_EQ(trace.jobs.size(), 3U);
  EXPECT_EQ(trace.jobs[2].id, "j1#2");
  EXPECT_EQ(trace.jobs[2].gpus, 2);
  EXPECT_EQ(trace.jobs[2].work, 30);
  EXPECT_EQ(trace.jobs[2].arrival_s, 90);  // when the first attempt ended: 00:01:20 after 23:59:50
}

TEST(TraceFormats, WhatIsWrongHasItsPlace) {
  EXPECT_THAT(trace_error("submit_s,duration_s,num_gpus,vc\n9,60,8,a\n5,70,1,b\n"),
              HasSubstr("t:3:1: error: this job arrives at 5 s, after one that arrives at 9 s"));
  EXPECT_THAT(trace_error("submit_s,duration_s,num_gpus,vc\n9,60,1.5,a\n"),
              HasSubstr("t:2:6: error: 1.5 is no number"));
  EXPECT_THAT(trace_error("submit_s,duration_s,num_gpus,vc\n9,nan,1,a\n"), HasSubstr("t:2:3: error: 'nan'"));
  EXPECT_THAT(trace_error("submit_s,duration_s,num_gpus,vc\n9,-5,1,a\n"),
              HasSubstr("t:2:3: error: 'duration_s' is -5"));
  EXPECT_THAT(trace_error("submit_s,duration_s,num_gpus,vc\n9,0,1,a\n"), HasSubstr("dropped: 1 no run time"));
  EXPECT_THAT(trace_error("name,time,application,num_replicas\nx,1,brt,1\n"),
              HasSubstr("t:2:5: error: unknown application"));
  EXPECT_THAT(trace_error("arrival_s,gpus,steps,wieght\n1,1,1,1\n"), HasSubstr("did you mean 'weight'"));
  EXPECT_THAT(trace_error("arrival_s,gpus,steps,reference_s\n1,1,1,1\n"), HasSubstr("both"));
  EXPECT_THAT(trace_error("arrival_s,gpus,steps\n1,0,1\n"), HasSubstr("t:2:3: error: this job has no GPU"));
  EXPECT_THAT(trace_error("[{\"attempts\": [], \"submitted_time\": \"yesterday\"}]"),
              HasSubstr("'yesterday' is no time"));
  EXPECT_THAT(trace_error("[{\"attempts\": [}"), HasSubstr("this is not JSON"));
  EXPECT_THAT(trace_error("x", "gavle"), HasSubstr("did you mean 'gavel'"));
}

// Check sums: notes on public traces. Of the 897 pods that never started, 36 have no GPU either.
TEST(TraceFormats, PublicAlibaba) {
  SEXTANT_NEEDS_DATA(file, "cluster-traces/alibaba_v2023_pod_list_default.csv");
  const Trace trace = read_trace(file);
  EXPECT_EQ(trace.rows, 8152);
  EXPECT_EQ(trace.dropped.at("without GPU"), 1088);
  EXPECT_EQ(trace.dropped.at("never started"), 897 - 36);
  EXPECT_EQ(trace.jobs.size(), 8152U - 1088 - 861);
}

TEST(TraceFormats, PublicPhillyTiresiasSia) {
  SEXTANT_NEEDS_DATA(folder, "cluster-traces");
  EXPECT_EQ(read_trace(folder + "/philly_jobs.csv").jobs.size(), 64871U);
  const Trace tiresias = read_trace(folder + "/tiresias_60_job.csv");
  std::map<int, int> by_gpus;
  for (const TraceJob& job : tiresias.jobs) ++by_gpus[job.gpus];
  EXPECT_EQ(by_gpus, (std::map<int, int>{{1, 30}, {2, 10}, {4, 10}, {8, 10}}));
  EXPECT_EQ(read_trace(folder + "/sia_workloads/philly-1.csv").jobs.size(), 160U);
  EXPECT_EQ(read_trace(folder + "/sia_workloads/newtrace-1.csv").jobs.size(), 960U);
}

}  // namespace
}  // namespace sextant::jobs
