// One step of a search with 200 trials and 5,000 candidates: kernels weighed, expected improvement
// everywhere. Relative to one Gaussian process with a given kernel at all candidates, the least that any
// method does.
#include <cmath>

#include "ratio.h"
#include "sextant/explore/search_strategy.h"

namespace sextant::bench {
namespace {

explore::SearchProblem machines() {
  const auto count = [](const std::string& name, double high) {
    return explore::SearchFactor{.name = name, .kind = explore::FactorKind::integer, .low = 1, .high = high};
  };
  explore::SearchFactor vm{.name = "vm", .levels = {}};
  vm.features.names = {"cores", "memory"};
  vm.features.values = stats::Matrix(13, 2);
  for (std::size_t i = 0; i < 13; ++i) {
    vm.levels.push_back("m" + std::to_string(i));
    vm.features.values(i, 0) = std::exp2(static_cast<double>(i % 5));
    vm.features.values(i, 1) = std::exp2(static_cast<double>(i % 5 + i / 5));
  }
  // 13 * 20 * 20 = 5,200 configurations.
  return {.space = explore::SearchSpace({std::move(vm), count("machines", 20), count("batch", 20)}, {}),
          .objectives = {{.metric = "cost"}}};
}

double cost(const std::vector<double>& x) {
  return std::exp(std::cos(x[0]) + 0.2 * std::abs(std::log(x[1] * x[2] / 30)) + 0.01 * x[3]);
}

std::vector<explore::Trial> finished(const explore::SearchProblem& problem, std::size_t count) {
  std::vector<explore::Trial> trials;
  const auto random = explore::make_search_strategy("random");
  while (trials.size() < count) {
    explore::Trial trial;
    trial.number = static_cast<std::int64_t>(trials.size()) + 1;
    trial.configuration = random->propose({problem, trials, 1})->configuration;
    trial.outcome.state = explore::TrialState::completed;
    trial.outcome.metrics["cost"] = cost(problem.space.features(trial.configuration));
    trials.push_back(std::move(trial));
  }
  return trials;
}

// Covariances by the pair, in the plainest way, and a variance for each candidate.
double plain_process(const explore::SearchProblem& problem, const std::vector<explore::Trial>& trials) {
  const std::vector<explore::Configuration> all = *problem.space.all(6000);
  const auto rows = [&](const explore::Configuration& each) { return problem.space.features(each); };
  const auto kernel = [](const std::vector<double>& a, const std::vector<double>& b) {
    double r2 = 0;
    for (std::size_t i = 0; i < a.size(); ++i) r2 += (a[i] - b[i]) * (a[i] - b[i]) / 25;
    const double s = std::sqrt(5 * r2);
    return (1 + s + s * s / 3) * std::exp(-s);
  };
  const std::size_t n = trials.size();
  std::vector<std::vector<double>> seen;
  for (const explore::Trial& trial : trials) seen.push_back(rows(trial.configuration));
  stats::Matrix lower(n, n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = kernel(seen[i], seen[j]) + (i == j ? 1e-2 : 0);
      for (std::size_t k = 0; k < j; ++k) sum -= lower(i, k) * lower(j, k);
      lower(i, j) = i == j ? std::sqrt(sum) : sum / lower(j, j);
    }
  }
  double least = 1;
  std::vector<double> solved(n);
  for (const explore::Configuration& each : all) {
    const std::vector<double> at = rows(each);
    double variance = 1;
    for (std::size_t i = 0; i < n; ++i) {
      double sum = kernel(seen[i], at);
      for (std::size_t k = 0; k < i; ++k) sum -= lower(i, k) * solved[k];
      solved[i] = sum / lower(i, i);
      variance -= solved[i] * solved[i];
    }
    least = std::min(least, variance);
  }
  return least;
}

void step_against_one_process(benchmark::State& state, const explore::SearchProblem& problem,
                              const std::vector<explore::Trial>& trials) {
  const auto strategy = explore::make_search_strategy("sextant:candidates=6000");
  report_ratio(
      state,
      [&] {
        return strategy->propose({problem, trials, 1})->configuration.values.size();
      },
      [&] { return plain_process(problem, trials); });
}

void search_step_against_one_process(benchmark::State& state) {
  const explore::SearchProblem problem = machines();
  step_against_one_process(state, problem, finished(problem, static_cast<std::size_t>(state.range(0))));
}
BENCHMARK(search_step_against_one_process)
    ->Arg(15)
    ->Arg(60)
    ->Arg(200)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);

// Every tenth trial has failed: the chance to complete is learnt as well.
void search_step_with_failures(benchmark::State& state) {
  const explore::SearchProblem problem = machines();
  std::vector<explore::Trial> trials = finished(problem, static_cast<std::size_t>(state.range(0)));
  for (std::size_t i = 0; i < trials.size(); i += 10) {
    trials[i].outcome.state = explore::TrialState::failed;
    trials[i].outcome.metrics.clear();
  }
  step_against_one_process(state, problem, trials);
}
BENCHMARK(search_step_with_failures)->Arg(15)->Arg(200)->UseManualTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace sextant::bench
