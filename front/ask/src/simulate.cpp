#include "sextant/ask/simulate.h"

#include <algorithm>
#include <cmath>

#include "seed_values.h"
#include "sextant/ask/simulation_summary.h"
#include "sextant/ask/trace.h"
#include "sextant/core/text.h"
#include "sextant/jobs/generator.h"
#include "sextant/jobs/throughputs.h"
#include "sextant/simulate/predicted_speeds.h"
#include "simulate_assumptions.h"
#include "simulate_fields.h"

namespace sextant::ask {
namespace {

constexpr std::int64_t kTimedBatch = 32;  // of timed steps that do not say

// A plan and what it refers to.
struct SweepInput {
  const catalog::Catalog& catalog;
  std::optional<jobs::ThroughputTable> table = {};
  std::unique_ptr<predict::Predictor> one_device = {};
  std::vector<simulate::RecordedAllocation> recorded = {};
  std::vector<std::string> notes = {};           // of the readers of the trace and of timed steps
  std::shared_ptr<const jobs::Trace> file = {};  // where jobs are not drawn
  jobs::WorkUnit unit = jobs::WorkUnit::reference_seconds;
  simulate::SweepPlan plan = {};
};

// "3 of 120 rows were left out: 2 without GPU, 1 ending before they start".
std::string left_out_text(const jobs::Trace& trace) {
  std::vector<std::string> reasons;
  std::int64_t rows = 0;
  for (const auto& [reason, count] : trace.dropped) {
    if (reason == jobs::kStepOfJob) continue;  // a part of a job that is there
    reasons.push_back(std::to_string(count) + " " + reason);
    rows += count;
  }
  if (rows == 0) return "";
  return std::to_string(rows) + " of " + std::to_string(trace.rows) +
         (rows == 1 ? " rows was" : " rows were") + " left out: " + join(reasons, ", ");
}

// What happened in the cluster that the trace is from, where a run with its load counts the same jobs.
std::optional<RecordedTimes> recorded_beside(const SweepInput& input,
                                             const std::vector<simulate::SweepRun>& runs) {
  const simulate::SweepPlan& plan = input.plan;
  const bool same = std::ranges::find(plan.loads, 1.0) != plan.loads.end() && !plan.warm_up &&
                    !plan.estimates && !std::isfinite(plan.run.until.value);
  const auto done = std::ranges::find(runs, true, &simulate::SweepRun::done);
  if (!input.file || !same || done == runs.end()) return std::nullopt;
  return recorded_times(*input.file, done->refused, plan.window);
}

// A file gives the same jobs for every seed, a generator draws anew.
void add_trace(const SimulateQuestion& question, SweepInput& input) {
  if (question.trace) {
    auto trace = std::make_shared<const jobs::Trace>(
        jobs::read_trace(*question.trace, trace_format_of(question.trace_format.value_or(""), question.map)));
    input.notes = trace->notes;
    if (std::string text = left_out_text(*trace); !text.empty()) input.notes.push_back(std::move(text));
    input.file = trace;
    input.unit = trace->unit;
    input.plan.trace = [trace](std::uint64_t) { return trace; };
    return;
  }
  const jobs::Generator generator = jobs::parse_generator(*question.generate, at_field("generate"));
  const jobs::ThroughputTable* table = input.table ? &*input.table : nullptr;
  input.unit = table != nullptr ? jobs::WorkUnit::steps : jobs::WorkUnit::reference_seconds;
  input.plan.trace = [generator, table](std::uint64_t seed) {
    return std::make_shared<const jobs::Trace>(generate_trace(generator, seed, table));
  };
}

// Whether jobs are durations, and some pool is as fast as the catalogue says.
bool relative_speeds(const SimulateQuestion& question, const SweepInput& input) {
  const bool durations = question.estimates || input.unit == jobs::WorkUnit::reference_seconds;
  if (!durations || question.predict) return false;
  return std::ranges::any_of(input.plan.clusters, [](const clusters::Cluster& cluster) {
    return std::ranges::any_of(cluster.pools, [](const clusters::Pool& pool) {
      return pool.speed_from == clusters::SpeedFrom::catalogue;
    });
  });
}

void add_speeds(const SimulateQuestion& question, SweepInput& input) {
  if (input.table && input.unit == jobs::WorkUnit::steps) {
    input.plan.speeds = [&input](const clusters::Cluster& cluster) {
      return simulate::speeds_from_table(*input.table, cluster);
    };
  }
  const catalog::Catalog& catalog = input.catalog;
  const bool by_model = relative_speeds(question, input);
  if (!question.predict && !by_model) {
    if (question.model.measured)
      input.notes.emplace_back("the timed steps are not used, since no speed is predicted; `predict` does");
    return;
  }
  Remarks remarks;
  input.one_device = make_predictor(question.model, job_of(question.job, kTimedBatch), catalog, &remarks);
  for (auto* lines : {&remarks.notes, &remarks.warnings})
    std::ranges::move(*lines, std::back_inserter(input.notes));
  simulate::PredictedSpeedSetup setup{.catalog = &catalog, .one_device = input.one_device.get()};
  setup.job = job_of(question.job, 1);
  setup.link = question.link ? catalog.links.get(*question.link, at_field("network")).id : "";
  setup.unit = input.unit;
  input.plan.speeds = [setup, by_model](const clusters::Cluster& cluster) {
    return by_model ? speeds_by_model(setup, cluster) : speeds_from_prediction(setup, cluster);
  };
}

// Jobs that can never run: "12 jobs can never run, because they ask for more GPUs than ...".
std::vector<std::string> refused_jobs(const simulate::SweepPlan& plan,
                                      const std::vector<simulate::SweepRun>& runs) {
  std::vector<std::string> lines;
  for (const RefusedGroup& group : refused_groups(runs)) {
    const std::string where = plan.clusters.size() > 1 ? plan.clusters[group.cluster].name + ": " : "";
    const std::int64_t more = group.jobs - static_cast<std::int64_t>(group.examples.size());
    lines.push_back(where + std::to_string(group.jobs) + (group.jobs == 1 ? " job" : " jobs") +
                    " can never run, because " + group.why + ": " + join(group.examples, "; ") +
                    (more > 0 ? "; and " + std::to_string(more) + " more" : ""));
  }
  return lines;
}

// Runs that left jobs behind: "fifo: 3 jobs did not end within the run; the first is job 17".
std::vector<std::string> unfinished_jobs(const simulate::SweepPlan& plan,
                                         const std::vector<simulate::SweepRun>& runs) {
  std::vector<std::string> lines;
  for (const simulate::SweepRun& run : runs) {
    if (!run.done || run.unfinished.empty()) continue;
    const auto first = static_cast<std::size_t>(run.unfinished.front());
    const auto source = static_cast<std::size_t>(run.jobs->jobs[first].source);
    const std::string& id = run.trace->jobs[source].id;
    const std::size_t left = run.unfinished.size();
    lines.push_back(
        run_name(plan, run) + ": " +
        (left == 1 ? "1 job did not end within the run: job " + id
                   : std::to_string(left) + " jobs did not end within the run; the first is job " + id));
  }
  return lines;
}

void add_warnings(SimulationAnswer& answer) {
  answer.warnings = refused_jobs(answer.plan, answer.runs);
  for (std::string& line : unfinished_jobs(answer.plan, answer.runs))
    answer.warnings.push_back(std::move(line));
  if (!answer.stopped) return;
  answer.warnings.push_back(interrupted_text(answer.runs));
}

}  // namespace

SimulationAnswer simulate(const SimulateQuestion& question, const catalog::Catalog& catalog,
                          Progress& progress, const RunStop& stop) {
  SweepInput input{.catalog = catalog};
  input.plan = sweep_plan(question, catalog);
  if (question.throughputs) input.table = jobs::ThroughputTable::read_file(*question.throughputs);
  if (question.replay_allocations) {
    input.recorded =
        simulate::read_recorded_allocations(*question.replay_allocations, input.plan.clusters.front());
    input.plan.run.replay = &input.recorded;
  }
  add_trace(question, input);
  add_speeds(question, input);
  input.plan.stop = stop;
  SimulationAnswer answer;
  answer.runs = sweep(input.plan, progress);
  answer.recorded = recorded_beside(input, answer.runs);
  answer.notes = std::move(input.notes);
  const bool durations = question.estimates || input.unit == jobs::WorkUnit::reference_seconds;
  add_assumptions(input.plan, catalog, durations && !question.predict, answer.notes);
  answer.plan = std::move(input.plan);
  answer.plan.trace = nullptr;  // these refer to what ends here
  answer.plan.speeds = nullptr;
  answer.plan.run.replay = nullptr;
  answer.plan.stop = {};
  answer.stopped = stop.asked();
  add_warnings(answer);
  return answer;
}

}  // namespace sextant::ask
