// What people's own clusters print: Slurm's sacct, Kubernetes and Kueue, and CSV of any other source.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "error_of.h"
#include "sextant/core/csv.h"
#include "sextant/jobs/trace.h"

namespace sextant::jobs {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string corpus_file(const std::string& name) {
  return read_text_file(std::string(SEXTANT_SOURCE_DIR) + "/facts/jobs/fuzz/corpus/trace/" + name).substr(1);
}

std::string log_error(const std::string& text, const std::string& format = "") {
  return test::error_of([&] { (void)parse_trace(text, "log", format); });
}

const std::string& user_of(const Trace& trace, const TraceJob& job) {
  return trace.users.at(static_cast<std::size_t>(job.user));
}

TEST(Sacct, JobsThatRanOnGpus) {
  const Trace trace = parse_trace(corpus_file("sacct"), "log");
  ASSERT_EQ(trace.jobs.size(), 2U);
  const TraceJob& array = trace.jobs[0];  // submitted at 09:00, before the other
  EXPECT_EQ(array.id, "4002_1");
  EXPECT_EQ(array.arrival_s, 0);
  EXPECT_EQ(array.gpus, 16);
  EXPECT_EQ(array.work, 86400 + 2 * 3600 + 4);
  EXPECT_EQ(array.estimate_s, 0);  // unlimited
  EXPECT_EQ(array.memory_gib, 1024);
  EXPECT_EQ(array.line, 5);
  const TraceJob& job = trace.jobs[1];
  EXPECT_EQ(job.id, "4001");
  EXPECT_EQ(job.arrival_s, 300);
  EXPECT_EQ(job.gpus, 2);
  EXPECT_EQ(job.work, 3600);
  EXPECT_EQ(job.estimate_s, 86400);
  EXPECT_EQ(job.cpus, 8);
  EXPECT_EQ(user_of(trace, job), "ana");
  EXPECT_TRUE(job.types.empty());
}

TEST(Sacct, NoRowDisappearsUnsaid) {
  const Trace trace = parse_trace(corpus_file("sacct"), "log");
  EXPECT_EQ(trace.rows, 8);
  EXPECT_EQ(trace.dropped.at("a step of a job"), 2);
  EXPECT_EQ(trace.dropped.at("never started"), 2);  // pending tasks of the array, cancelled before its start
  EXPECT_EQ(trace.dropped.at("without GPU"), 1);
  EXPECT_EQ(trace.dropped.at("still running"), 1);
  EXPECT_THAT(trace.notes, testing::Contains(HasSubstr("sacct:types=1")));
}

TEST(Sacct, TypesThatWereAskedForAreKeptOnDemand) {
  const Trace trace = parse_trace(corpus_file("sacct"), "log", "sacct:types=1");
  EXPECT_THAT(trace.jobs[1].types, ElementsAre("a100"));
  EXPECT_TRUE(trace.jobs[0].types.empty());
}

TEST(Sacct, BarsAtTheEndOfLinesAndSecondsAsNumbers) {
  const Trace trace = parse_trace(corpus_file("sacct_trailing"), "log");
  ASSERT_EQ(trace.jobs.size(), 1U);
  EXPECT_EQ(trace.jobs[0].work, 60);
}

TEST(Sacct, Json) {
  const Trace trace = parse_trace(corpus_file("sacct_json"), "log", "sacct:types=1");
  ASSERT_EQ(trace.jobs.size(), 1U);
  const TraceJob& job = trace.jobs[0];
  EXPECT_EQ(trace.dropped.at("never started"), 1);
  EXPECT_EQ(job.id, "70_1");
  EXPECT_EQ(job.gpus, 4);
  EXPECT_EQ(job.work, 3600);
  EXPECT_EQ(job.estimate_s, 7200);
  EXPECT_EQ(job.memory_gib, 64);
  EXPECT_EQ(job.line, 2);
  EXPECT_EQ(user_of(trace, job), "ana");
  EXPECT_THAT(job.types, ElementsAre("h100"));
}

TEST(Sacct, WhatIsWrongHasItsPlace) {
  const std::string head = "JobID|Submit|Start|End|AllocTRES\n";
  EXPECT_THAT(log_error(head + "1|2024-02-30T00:00:00|Unknown|Unknown|\n"),
              HasSubstr("log:2:3: error: '2024-02-30T00:00:00' is no time"));
  EXPECT_THAT(log_error(head + "1|2024-01-01T00:00:00|2024-13-01T00:00:00|Unknown|\n"),
              HasSubstr("log:2:23: error: '2024-13-01T00:00:00' is no time"));
  EXPECT_THAT(log_error(head + "1|2024-01-01T00:00:00|Unknown|Unknown|gres/gpu=two\n"),
              HasSubstr("'gres/gpu=two' is no number of GPUs"));
  EXPECT_THAT(log_error(head + "1|a|b|2024-01-01T00:00:00|Unknown|Unknown|\n"),
              HasSubstr("log:2:1: error: this row has 7 fields, and the header has 5"));
  EXPECT_THAT(log_error("JobID|Submit|Start|End\n1|2024-01-01T00:00:00|Unknown|Unknown\n"),
              HasSubstr("the columns AllocTRES and ReqTRES are missing"));
  EXPECT_THAT(log_error("JobID|Submit|AllocTRES\n1|2024-01-01T00:00:00|\n"),
              HasSubstr("the column Elapsed is missing"));
  EXPECT_THAT(log_error("{\"jobs\": [{\"job_id\": 1,\n ]}"), HasSubstr("log:2:2: error: this is not JSON"));
}

// What people hand over first: each is told what it is and how to get what is needed.
TEST(UnknownTraces, AreToldWhatTheyLookLike) {
  EXPECT_THAT(
      log_error("JobID           JobName  Partition\n------------ ---------- ----------\n1000 train gpu\n"),
      testing::AllOf(HasSubstr("this looks like the output of sacct for people"),
                     HasSubstr("sacct -a -P -o JobID,")));
  EXPECT_THAT(log_error("JobID|Submited|Start|End|AllocTRES\n1|2024-01-01T00:00:00|Unknown|Unknown|\n"),
              testing::AllOf(HasSubstr("the column Submit is missing"), HasSubstr("is it 'Submited'?")));
  EXPECT_THAT(log_error("created,who,n_gpu,secs\n2026-03-01 09:00:00,ann,4,3600\n"),
              testing::AllOf(HasSubstr("nothing says which column is which"),
                             HasSubstr("columns: created, who, n_gpu, secs")));
  EXPECT_THAT(log_error("created;n_gpu;secs\n2026-03-01 09:00:00;4;3600\n"), HasSubstr("separated by ';'"));
  EXPECT_THAT(log_error(R"({"apiVersion": "v1", "kind": "List", "items": [{"kind": "Pod"}]})"),
              testing::AllOf(HasSubstr("the item is a 'Pod'"), HasSubstr("kubectl get jobs")));
  EXPECT_THAT(log_error(R"({"apiVersion": "v1", "kind": "List", "items": []})"),
              HasSubstr("its list of jobs is empty"));
  EXPECT_THAT(log_error(" \n"), HasSubstr("one job per line"));
}

TEST(Sacct, StartsAreKeptAndEndsBeforeThemCounted) {
  const Trace trace = parse_trace(
      "JobID|Submit|Start|End|AllocTRES\n"
      "1|2024-01-01T00:00:00|2024-01-01T00:10:00|2024-01-01T01:00:00|gres/gpu=1\n"
      "2|2024-01-01T00:05:00|2024-01-01T02:00:00|2024-01-01T01:00:00|gres/gpu=1\n",
      "log");
  ASSERT_EQ(trace.jobs.size(), 1U);
  EXPECT_EQ(trace.jobs[0].start_s, 600);
  EXPECT_EQ(trace.jobs[0].work, 50 * 60);
  EXPECT_EQ(trace.dropped.at("ending before they start"), 1);
}

TEST(Kubernetes, JobsHoldTheGpusOfTheirPods) {
  const Trace trace = parse_trace(corpus_file("kubernetes"), "log");
  ASSERT_EQ(trace.jobs.size(), 2U);
  EXPECT_EQ(trace.dropped.at("without GPU"), 1);
  EXPECT_EQ(trace.dropped.at("still running"), 1);
  EXPECT_EQ(trace.jobs[0].id, "speech/broken");  // created a minute before
  EXPECT_EQ(trace.jobs[0].work, 600);            // until it failed
  EXPECT_EQ(trace.jobs[1].id, "vision/train");
  EXPECT_EQ(trace.jobs[1].gpus, 4 * 2);
  EXPECT_EQ(trace.jobs[1].work, 3600);
  EXPECT_EQ(trace.jobs[1].arrival_s, 60);
  EXPECT_EQ(trace.jobs[1].line, 4);
  EXPECT_EQ(user_of(trace, trace.jobs[1]), "vision");
}

TEST(Kubernetes, WorkloadsRunFromTheirAdmission) {
  const Trace trace = parse_trace(corpus_file("kueue"), "log");
  ASSERT_EQ(trace.jobs.size(), 1U);
  EXPECT_EQ(trace.format, "kubernetes");
  EXPECT_EQ(trace.jobs[0].gpus, 3 * 8);
  EXPECT_EQ(trace.jobs[0].work, 1800.5);
  EXPECT_EQ(trace.jobs[0].priority, 50);
  EXPECT_EQ(user_of(trace, trace.jobs[0]), "gpus");
}

TEST(Kubernetes, WhatIsWrongHasItsPlace) {
  const auto list = [](const std::string& item) {
    return "{\"apiVersion\": \"batch/v1\", \"items\": [\n" + item + "]}";
  };
  EXPECT_THAT(log_error(list("{\"kind\": \"Pod\"}")), HasSubstr("log:2:1: error: the item is a 'Pod'"));
  EXPECT_THAT(log_error(list("{\"kind\": \"Job\"},\n{\"kind\": \"Workload\"}")),
              HasSubstr("log:3:1: error: the list has Jobs and Workloads"));
  EXPECT_THAT(log_error(list("{\"kind\": \"Job\", \"metadata\": {\"name\": \"train-7\", "
                             "\"creationTimestamp\": \"2024-13-01T00:00:00Z\"}}")),
              HasSubstr("'2024-13-01T00:00:00Z' is no time (of 'train-7')"));
  EXPECT_THAT(log_error(list("{\"kind\": \"Job\", \"spec\": {\"parallelism\": -1}}")),
              HasSubstr("is no number"));
  EXPECT_THAT(log_error("{\"items\": {}}", "kubernetes"), HasSubstr("has no list 'items'"));
}

TEST(AnyCsv, ColumnsByNameAndByMapping) {
  const Trace named = parse_trace(corpus_file("csv"), "log");
  ASSERT_EQ(named.jobs.size(), 3U);
  EXPECT_EQ(named.jobs[0].id, "b");
  EXPECT_EQ(named.jobs[0].work, 600);
  EXPECT_EQ(named.jobs[1].work, 5400);
  EXPECT_EQ(named.jobs[2].work, 7200);
  EXPECT_EQ(named.jobs[2].arrival_s, 5400);
  EXPECT_EQ(named.dropped.at("no time of submission"), 1);
  const Trace mapped = parse_trace("when,n,begin,finish\n100,2,150,250\n0,1,5,7\n", "log",
                                   "csv:submit=when:gpus=n:start=begin:end=finish");
  ASSERT_EQ(mapped.jobs.size(), 2U);
  EXPECT_EQ(mapped.jobs[1].work, 100);
  EXPECT_EQ(mapped.jobs[1].gpus, 2);
  EXPECT_EQ(mapped.jobs[1].arrival_s, 100);
}

TEST(AnyCsv, WhatIsWrongHasItsPlace) {
  EXPECT_THAT(log_error("when,n,s\n1,1,1\n"), HasSubstr("`map` submit=COLUMN"));
  EXPECT_THAT(log_error("when,n,s\n1,1,1\n", "csv:submit=when:gpus=n"), HasSubstr("named 'duration'"));
  EXPECT_THAT(log_error("when,n,s\n1,1,1\n", "csv:submit=wen:gpus=n:duration=s"), HasSubstr("'wen'"));
  EXPECT_THAT(log_error("submit,gpus,duration\n2023-02-29 00:00:00,1,1\n"),
              HasSubstr("log:2:1: error: '2023-02-29 00:00:00' is no time"));
  EXPECT_THAT(log_error("submit,gpus,duration\n1,1,long\n"), HasSubstr("log:2:5: error:"));
}

// Two jobs of one name could not be told apart in any answer.
TEST(TraceFormats, DuplicateIdsAreRefusedWithBothLines) {
  EXPECT_THAT(log_error("id,arrival_s,gpus,reference_s\nx,0,1,1\ny,0,1,1\nx,1,1,1\n"),
              HasSubstr("log:4:1: error: the job id 'x' is that of line 2 already"));
  EXPECT_THAT(log_error("JobID|Submit|Elapsed|ReqTRES\n7|2024-01-01T00:00:09|00:01|gres/gpu=1\n"
                        "7|2024-01-01T00:00:00|00:01|gres/gpu=1\n"),
              HasSubstr("log:3:1: error: the job id '7' is that of line 2 already"));
}

TEST(TraceFormats, DatesThatTheCalendarDoesNotHaveAreRefused) {
  const std::string helios =
      "job_id,user,vc,gpu_num,cpu_num,node_num,state,submit_time,start_time,end_time,duration,queue\n7,u,v,8,"
      "48,1,"
      "COMPLETED,";
  for (const char* date : {"2020-02-30 00:00:00", "2021-02-29 00:00:00", "2020-13-01 00:00:00",
                           "2020-00-10 00:00:00", "2020-04-31 00:00:00", "2020-04-01 24:00:00"}) {
    EXPECT_THAT(log_error(helios + date + ",x,x,3600,0\n"),
                HasSubstr(std::string("'") + date + "' is no time"));
    EXPECT_THAT(log_error("[{\"attempts\": [], \"submitted_time\": \"" + std::string(date) + "\"}]"),
                HasSubstr("is no time"));
  }
}

}  // namespace
}  // namespace sextant::jobs
