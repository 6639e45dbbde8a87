#include "sextant/engine/worker.h"

#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "federated_worker.h"
#include "sextant/core/plugin_text.h"
#include "sextant/core/text.h"
#include "sextant/engine/executor.h"
#include "sextant/engine/transports.h"
#include "sextant/measure/drawn_network.h"
#include "trainer.h"

namespace sextant::engine {
namespace {

std::string host_name() {
  std::array<char, 256> name{};
  return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "unknown";
}

// VmHWM rather than ru_maxrss: the latter remembers the process that started this one.
double peak_rss_bytes() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (!line.starts_with("VmHWM:")) continue;
    std::istringstream words(line.substr(6));
    double kib = 0;
    if (words >> kib) return kib * 1024;
  }
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) * 1024;
}

measure::Trial read_trial(const measure::RunFolder& folder) {
  std::ifstream file(folder.trial_file());
  std::stringstream text;
  if (!file || !(text << file.rdbuf())) throw SystemError("cannot read " + folder.trial_file().string());
  return measure::trial_from_json(text.str(), folder.trial_file().string());
}

std::unique_ptr<measure::SpanRecorder> make_recorder(const measure::Trial& trial, std::int64_t rank) {
  if (!trial.spans) return nullptr;
  spans::TraceContext parent{.trace = {.high = 1, .low = trial.seed + 1}};  // a trial that nobody started
  if (!trial.traceparent.empty()) parent = spans::parse_traceparent(trial.traceparent);
  return std::make_unique<measure::SpanRecorder>(parent, rank, trial.workers);
}

std::string process_name(const measure::Trial& trial, std::int64_t rank) {
  return rank < trial.workers ? "worker " + std::to_string(rank)
                              : "server " + std::to_string(rank - trial.workers);
}

void profile(const measure::Trial& trial, const nets::Graph& graph, measure::WorkerReport& report) {
  report.operators = profile_operators(graph, {.engine = {.threads = trial.threads, .seed = trial.seed},
                                               .warmup = trial.warmup,
                                               .repetitions = std::max<std::int64_t>(trial.iterations, 1)});
}

void work(const measure::RunFolder& folder, measure::WorkerReport& report) {
  const measure::Trial trial = read_trial(folder);
  measure::LifeSign life(folder, report.rank);
  life.beat();
  report.role = report.rank < trial.workers ? "worker" : "server";
  report.versions = engine_versions();
  if (report.rank < 0 || report.rank >= rank_count(trial)) {
    throw InputError("rank " + std::to_string(report.rank) + " of a trial with " +
                     std::to_string(rank_count(trial)) + " processes");
  }
  const nets::Graph graph = build(measure::trial_network(trial.job.net), trial.job.sizes);
  if (trial.operators) return profile(trial, graph, report);

  const auto& strategy = measure::training_strategies().get(split_plugin_text(trial.strategy).id);
  std::unique_ptr<measure::Transport> transport;
  if (strategy.distributed) transport = join({.trial = trial, .folder = folder, .rank = report.rank});
  life.beat();
  const std::unique_ptr<measure::SpanRecorder> spans = make_recorder(trial, report.rank);
  train({.trial = trial,
         .graph = graph,
         .folder = folder,
         .rank = report.rank,
         .make_replica =
             [&](std::int64_t worker) {
               return make_replica(graph, {.threads = trial.threads, .seed = trial.seed, .worker = worker});
             },
         .transport = transport.get(),
         .spans = spans.get(),
         .life = life},
        report);
  if (spans == nullptr) return;
  const spans::SpanSet set = spans->finish(process_name(trial, report.rank));
  measure::write_file_atomically(folder.spans_file(report.rank), to_perfetto(set).dump());
}

}  // namespace

int run_worker(const measure::RunFolder& folder, std::int64_t rank) {
  measure::WorkerReport report;
  report.rank = rank;
  report.role = "worker";
  report.host = host_name();
  report.pid = getpid();
  try {
    if (is_federation(folder)) {
      work_in_federation(folder, report);
    } else {
      work(folder, report);
    }
  } catch (const InputError& error) {
    report.error = error.what();
    report.bad_input = measure::BadInput{error.where(), error.message(), error.hint()};
  } catch (const std::exception& error) {
    report.error = error.what();
  }
  report.peak_rss_bytes = peak_rss_bytes();
  measure::write_file_atomically(folder.report_file(rank), to_json(report).dump());
  return report.error.empty() ? 0 : 1;
}

}  // namespace sextant::engine
