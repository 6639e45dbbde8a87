// Completion times against runs of Gavel itself, job by job and to the bit. The runs are not part of the
// repository.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <ostream>

#include "sextant/core/csv.h"
#include "sextant/jobs/throughputs.h"
#include "sextant/jobs/trace.h"
#include "sextant/simulate/gavel.h"
#include "shared_data.h"

namespace sextant::simulate {
namespace {

struct ReferenceRun {
  std::string tag;     // "cs500_36-36-36"
  std::string gavel;   // name of the policy in the file
  std::string policy;  // ours
  bool replay = false;
};

std::ostream& operator<<(std::ostream& out, const ReferenceRun& run) {
  return out << run.tag << "__" << run.gavel << " with " << run.policy << (run.replay ? ", replayed" : "");
}

std::string trace_of(const std::string& tag) {
  if (tag.starts_with("las96")) return "max_min_fairness.trace";
  if (tag.starts_with("cs500")) return "cont_single_n500_lam720_s0.trace";
  return "cont_multi_n500_lam1800_s0.trace";
}

// "8-16-24" in "las96_8-16-24-Q": v100, p100, k80.
clusters::Cluster cluster_of(const std::string& tag) {
  const std::vector<std::string> counts = split(tag.substr(tag.find('_') + 1), '-');
  clusters::Cluster cluster{.name = tag, .pools = {}};
  const std::array<std::string, 3> types = {"v100", "p100", "k80"};
  for (std::size_t t = 0; t < types.size(); ++t)
    cluster.pools.push_back({.type = types[t], .gpus = to_integer(counts.at(t)).value()});
  return cluster;
}

class GavelReference : public testing::TestWithParam<ReferenceRun> {};

struct Comparison {
  double worst_s = 0;     // largest difference of a completion time
  std::size_t equal = 0;  // jobs without any
  std::size_t jobs = 0;
  double mean_jct_s = 0;
  double reference_mean_jct_s = 0;
};

Comparison compare(const RunResult& result, const JobSet& jobs, const CsvTable& reference) {
  Comparison comparison{.jobs = reference.rows()};
  const std::vector<double> completion = reference.numbers("completion");
  for (std::size_t i = 0; i < jobs.jobs.size(); ++i) {
    const double expected = completion[static_cast<std::size_t>(jobs.jobs[i].source)];
    const double difference = std::abs(result.jobs[i].completion.value - expected);
    comparison.worst_s = std::max(comparison.worst_s, difference);
    comparison.equal += difference == 0 ? 1 : 0;
    comparison.mean_jct_s += result.jobs[i].completion.value - jobs.jobs[i].arrival.value;
    comparison.reference_mean_jct_s += expected - jobs.jobs[i].arrival.value;
  }
  comparison.mean_jct_s /= static_cast<double>(jobs.jobs.size());
  comparison.reference_mean_jct_s /= static_cast<double>(jobs.jobs.size());
  return comparison;
}

TEST_P(GavelReference, CompletionTimes) {
  SEXTANT_NEEDS_DATA(index, "../reference/gavel/INDEX.csv");            // NOLINT(performance-*)
  SEXTANT_NEEDS_DATA(table_file, "gavel/simulation_throughputs.json");  // NOLINT(performance-*)
  const ReferenceRun& run = GetParam();
  const std::filesystem::path folder = std::filesystem::path(index).parent_path();
  const std::string stem = (folder / "runs" / (run.tag + "__" + run.gavel)).string();
  const clusters::Cluster cluster = cluster_of(run.tag);
  const jobs::Trace trace = jobs::read_trace((folder / "traces" / trace_of(run.tag)).string());
  const jobs::ThroughputTable table = jobs::ThroughputTable::read_file(table_file);
  const auto speeds = speeds_from_table(table, cluster);
  const JobSet jobs = make_job_set(trace, cluster, {.speeds = speeds.get(), .pairs = true});
  std::vector<RecordedAllocation> recorded;
  if (run.replay) recorded = read_recorded_allocations(stem + ".allocs.gz", cluster);

  const RunResult result = simulate_gavel(
      jobs, cluster,
      {.policy = schedule::parse_policy(run.policy), .replay = run.replay ? &recorded : nullptr});

  const CsvTable summary = CsvTable::read_file(index);
  const Comparison comparison = compare(result, jobs, CsvTable::read_file(stem + ".csv"));
  EXPECT_EQ(comparison.jobs, jobs.jobs.size());
  EXPECT_EQ(comparison.equal, comparison.jobs)
      << "largest difference " << comparison.worst_s << " s, mean " << comparison.mean_jct_s << " s, Gavel's "
      << comparison.reference_mean_jct_s << " s";
  const std::vector<std::string> tags = summary.texts("tag");
  const auto row =
      static_cast<std::size_t>(std::ranges::find(tags, run.tag + "__" + run.gavel) - tags.begin());
  ASSERT_LT(row, tags.size());
  EXPECT_EQ(static_cast<std::int64_t>(result.rounds), summary.integer(row, summary.column("n_rounds")));
  EXPECT_NEAR(result.horizon.value, summary.number(row, summary.column("makespan_s")), 1e-3);
  double busy = 0;
  double all = 0;
  for (const PoolUse& use : result.pools) {
    busy += use.productive;
    all += use.productive + use.idle;
  }
  EXPECT_NEAR(busy / all, summary.number(row, summary.column("utilization")), 1e-6);
  EXPECT_EQ(static_cast<std::int64_t>(result.decisions), summary.integer(row, summary.column("n_alloc")));
}

INSTANTIATE_TEST_SUITE_P(Native, GavelReference,
                         testing::Values(ReferenceRun{"las96_8-16-24", "fifo_perf", "gavel-fifo-perf"},
                                         ReferenceRun{"cs500_12-12-12-Q", "fifo_perf", "gavel-fifo-perf"},
                                         ReferenceRun{"cs500_36-36-36", "fifo_perf", "gavel-fifo-perf"},
                                         ReferenceRun{"cm500_36-36-36", "fifo_perf", "gavel-fifo-perf"},
                                         ReferenceRun{"las96_8-16-24", "isolated", "isolated"},
                                         ReferenceRun{"cs500_12-12-12-Q", "isolated", "isolated"},
                                         ReferenceRun{"cs500_36-36-36", "isolated", "isolated"},
                                         ReferenceRun{"cm500_36-36-36", "isolated", "isolated"},
                                         ReferenceRun{"las96_8-16-24", "fifo", "gavel-fifo"},
                                         ReferenceRun{"cs500_36-36-36", "fifo", "gavel-fifo"},
                                         ReferenceRun{"las96_8-16-24", "fifo-FIXED", "gavel-fifo-fixed"},
                                         ReferenceRun{"cs500_36-36-36", "fifo-FIXED", "gavel-fifo-fixed"},
                                         ReferenceRun{"las96_8-16-24", "fifo_packed", "gavel-fifo-packed"},
                                         ReferenceRun{"cs500_36-36-36", "allox", "allox"},
                                         ReferenceRun{"cs500_12-12-12-Q", "allox", "allox"},
                                         ReferenceRun{"las96_8-16-24", "gandiva", "gandiva"},
                                         ReferenceRun{"cs500_36-36-36", "gandiva", "gandiva"}));

// Any policy with the flags of the one that was recorded will do.
INSTANTIATE_TEST_SUITE_P(
    Replay, GavelReference,
    testing::Values(ReferenceRun{"cs500_12-12-12-Q", "allox", "allox", true},
                    ReferenceRun{"cs500_12-12-12-Q", "fifo_perf", "gavel-fifo-perf", true},
                    ReferenceRun{"cs500_12-12-12-Q", "isolated", "isolated", true},
                    ReferenceRun{"cs500_12-12-12-Q", "max_min_fairness", "isolated", true},
                    ReferenceRun{"cs500_12-12-12-Q", "max_min_fairness_perf", "allox", true},
                    ReferenceRun{"cs500_12-12-12-Q", "max_sum_throughput_perf", "allox", true},
                    ReferenceRun{"cs500_36-36-36-Q", "max_min_fairness_perf", "allox", true},
                    ReferenceRun{"cs500_36-36-36-Q", "max_min_fairness_packed", "gandiva", true},
                    ReferenceRun{"cm500_36-36-36-Q", "max_min_fairness_perf", "allox", true},
                    ReferenceRun{"las96_8-16-24-Q", "finish_time_fairness", "isolated", true},
                    ReferenceRun{"las96_8-16-24-Q", "finish_time_fairness_perf", "allox", true},
                    ReferenceRun{"las96_8-16-24-Q", "max_min_fairness", "isolated", true},
                    ReferenceRun{"las96_8-16-24-Q", "max_min_fairness_perf", "allox", true},
                    ReferenceRun{"las96_8-16-24-Q", "max_min_fairness_water_filling_perf", "allox", true},
                    ReferenceRun{"las96_8-16-24-Q", "max_sum_throughput_perf", "allox", true},
                    ReferenceRun{"las96_8-16-24-Q", "min_total_duration", "isolated", true},
                    ReferenceRun{"las96_8-16-24-Q", "min_total_duration_perf", "allox", true}));

}  // namespace
}  // namespace sextant::simulate
