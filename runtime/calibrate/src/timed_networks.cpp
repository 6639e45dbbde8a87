#include "timed_networks.h"

#include "sextant/core/error.h"
#include "sextant/stats/robust.h"

namespace sextant::calibrate {
namespace {

measure::Trial trial_of(const NetworkTrial& request) {
  measure::Trial trial;
  trial.job = request.job;
  trial.threads = request.threads;
  trial.warmup = request.warmup;
  trial.iterations = request.repetitions;
  trial.seed = request.seed;
  return trial;
}

measure::WorkerReport run(const measure::Trial& trial, const measure::SuperviseOptions& options) {
  const measure::Supervised done = run_trial(trial, options);
  if (done.outcome.completed && !done.outcome.ranks.empty()) return done.outcome.ranks.front();
  if (done.interrupted) throw SystemError(trial.job.net + ": interrupted");
  const std::string why = done.outcome.failures.empty() ? "no report" : done.outcome.failures.front().what;
  throw SystemError(trial.job.net + ": " + why);
}

double median_of(std::span<const measure::IterationTimes> iterations, double measure::IterationTimes::*part) {
  std::vector<double> values;
  for (const measure::IterationTimes& times : iterations) values.push_back(times.*part);
  return stats::median(values);
}

}  // namespace

std::vector<measure::OperatorTiming> time_operators(const NetworkTrial& request,
                                                    const measure::SuperviseOptions& options) {
  measure::Trial trial = trial_of(request);
  trial.operators = true;
  return run(trial, options).operators;
}

predict::TimedStep time_step(const NetworkTrial& request, const measure::SuperviseOptions& options) {
  const measure::Trial trial = trial_of(request);
  const measure::WorkerReport report = run(trial, options);
  const std::span<const measure::IterationTimes> all = report.iterations;
  if (all.size() <= static_cast<std::size_t>(trial.warmup))
    throw SystemError(trial.job.net + ": no iterations");
  const auto counted = all.subspan(static_cast<std::size_t>(trial.warmup));
  return {.forward_s = median_of(counted, &measure::IterationTimes::forward_s),
          .backward_s = median_of(counted, &measure::IterationTimes::backward_s),
          .optimizer_s = median_of(counted, &measure::IterationTimes::optimizer_s),
          .total_s = median_of(counted, &measure::IterationTimes::total_s)};
}

void set_operator_times(predict::TimedNetwork& network, const std::vector<measure::OperatorTiming>& timings) {
  network.forward_s.assign(network.graph.nodes.size(), 0);
  network.backward_s.assign(network.graph.nodes.size(), 0);
  for (const measure::OperatorTiming& timing : timings) {
    const auto node = static_cast<std::size_t>(timing.node);
    if (timing.node < 0 || node >= network.graph.nodes.size()) {
      throw SystemError(network.name + ": the worker timed an operator that is not in the graph");
    }
    network.forward_s[node] = timing.forward_s;
    network.backward_s[node] = timing.backward_s;
  }
}

}  // namespace sextant::calibrate
