// Runs of Gavel itself repeated by `simulate_gavel`: how many times less CPU time, inputs read, than Gavel's
// own figure (its logging off), which stands with the recorded runs and was taken on another machine. Without
// these runs, which are not part of the repository, there is nothing to measure.
#include <cstdlib>
#include <ctime>
#include <filesystem>

#include "ratio.h"
#include "sextant/core/csv.h"
#include "sextant/core/text.h"
#include "sextant/simulate/gavel.h"

namespace sextant::bench {
namespace {

std::filesystem::path data_folder() {
  const char* set = std::getenv("SEXTANT_DATA");
  return set != nullptr ? set : "../shared/data";
}

struct RecordedRun {
  std::string tag;
  std::string trace;
  std::string cluster;  // "36:36:36", v100, p100, k80
  std::string policy;
  double cpu_s = 0;
};

// One for each policy and cluster: "-GLPK" and its kin are other solvers of the same.
std::vector<RecordedRun> recorded_runs() {
  const std::filesystem::path index = data_folder() / "../reference/gavel/INDEX.csv";
  std::vector<RecordedRun> runs;
  if (!std::filesystem::exists(index)) return runs;
  const CsvTable table = CsvTable::read_file(index.string());
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const std::string tag = table.text(row, table.column("tag"));
    const bool quiet = table.text(row, table.column("logging_off")) == "True";
    // The one run of FIFO on 36 GPUs of each type was timed with logging on.
    if (!tag.starts_with("cs500") || !(quiet || tag == "cs500_36-36-36__fifo_perf")) continue;
    runs.push_back({tag, table.text(row, table.column("trace")),
                    table.text(row, table.column("cluster_v100_p100_k80")),
                    table.text(row, table.column("policy")), table.number(row, table.column("cpu_s"))});
  }
  return runs;
}

double cpu_seconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

void against_gavel(benchmark::State& state, const RecordedRun& run) {
  const std::filesystem::path data = data_folder();
  const std::vector<std::string> counts = split(run.cluster, ':');
  clusters::Cluster cluster{.name = run.cluster,
                            .pools = {{.type = "v100"}, {.type = "p100"}, {.type = "k80"}}};
  for (std::size_t t = 0; t < 3; ++t) cluster.pools[t].gpus = to_integer(counts.at(t)).value_or(0);
  const jobs::ThroughputTable table =
      jobs::ThroughputTable::read_file((data / "gavel/simulation_throughputs.json").string());
  const auto speeds = simulate::speeds_from_table(table, cluster);
  const jobs::Trace trace = jobs::read_trace((data / "../reference/gavel/traces" / run.trace).string());
  const simulate::GavelOptions options{.policy = schedule::parse_gavel_policy(run.policy)};
  const simulate::JobSet jobs =
      simulate::make_job_set(trace, cluster, {.speeds = speeds.get(), .pairs = options.policy.policy->packs});
  double least = 1e9;
  for ([[maybe_unused]] auto iteration : state) {
    const double before = cpu_seconds();
    benchmark::DoNotOptimize(simulate_gavel(jobs, cluster, options).horizon.value);
    const double used = cpu_seconds() - before;
    state.SetIterationTime(used);
    least = std::min(least, used);
  }
  state.counters["times less"] = run.cpu_s / least;
  state.counters["Gavel_s"] = run.cpu_s;
}

// Which runs there are is known only when the program starts.
const int registered = [] {
  for (const RecordedRun& run : recorded_runs()) {
    benchmark::RegisterBenchmark(("against_gavel/" + run.tag).c_str(), against_gavel, run)
        ->UseManualTime()
        ->Iterations(5)
        ->Unit(benchmark::kMillisecond);
  }
  return 0;
}();

}  // namespace
}  // namespace sextant::bench
