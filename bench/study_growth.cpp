// A study of n trials whose runs take no time, against one of n/2: what the store and the strategy take
// besides the runs. 2 is linear growth, 4 quadratic.
#include <unistd.h>

#include <cmath>
#include <filesystem>

#include "ratio.h"
#include "sextant/catalog/catalog.h"
#include "sextant/explore/configuration_set.h"
#include "sextant/explore/search_strategy.h"
#include "sextant/study/run_study.h"

namespace sextant::bench {
namespace {

namespace fs = std::filesystem;

study::StudySpec study_of(std::int64_t trials) {
  const std::string text =
      "strategy = \"random\"\n[[factor]]\nname = \"x\"\nlow = 1\nhigh = 1000\n[[factor]]\nname = \"y\"\n"
      "low = 1\nhigh = 1000\n[[objective]]\nmetric = \"loss\"\n[budget]\ntrials = " +
      std::to_string(trials) + "\n[evaluator]\nkind = \"predict\"\nargs = \"{x} {y}\"\n";
  return study::parse_study(text, "growth.toml", catalog::builtin_catalog());
}

// Instead of a prediction: a number at once.
study::OwnAnswer answered(const std::vector<std::string>& args, const study::Interrupted&) {
  study::OwnAnswer answer;
  answer.rows.push_back({.numbers = {{"loss", static_cast<double>(args.back().size())}}, .truths = {}});
  return answer;
}

std::size_t run_whole(std::int64_t trials) {
  const fs::path folder = fs::temp_directory_path() / ("sextant-growth-" + std::to_string(::getpid()));
  fs::create_directory(folder);
  NoProgress progress;
  const auto store = study::open_study_store((folder / "study.sqlite").string());
  study::StudyRunOptions options;
  options.worker = "bench";
  options.own.within = answered;
  options.scratch = folder;
  const std::size_t done = run_study(study_of(trials), *store, options, progress).trials.size();
  fs::remove_all(folder);
  return done;
}

void study_growth(benchmark::State& state) {
  const std::int64_t trials = state.range(0);
  report_ratio(
      state, [&] { return run_whole(trials); }, [&] { return run_whole(trials / 2); });
}
BENCHMARK(study_growth)
    ->Arg(1000)
    ->Arg(2000)
    ->Arg(4000)
    ->Arg(8000)
    ->Iterations(1)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);

// One step of `sextant` after n trials against one after n/2: 1 is what does not grow.
void search_step_growth(benchmark::State& state) {
  const study::StudySpec study = study_of(1);
  std::vector<explore::Trial> trials;
  explore::ConfigurationSet tried;
  Rng rng = Rng(1).stream("bench");
  while (std::ssize(trials) < state.range(0)) {
    explore::Trial trial;
    trial.number = std::ssize(trials) + 1;
    trial.configuration = study.problem.space.draw(rng);
    if (!tried.insert(trial.configuration)) continue;
    trial.outcome = {.state = explore::TrialState::completed,
                     .metrics = {{"loss", 1 + std::abs(trial.configuration.values[0] - 300)}}};
    trials.push_back(std::move(trial));
  }
  const auto strategy = explore::make_search_strategy("sextant");
  const auto step = [&](std::size_t count) {
    return strategy->propose({study.problem, std::span(trials).first(count), 1, &tried})->reason.size();
  };
  report_ratio(
      state, [&] { return step(trials.size()); }, [&] { return step(trials.size() / 2); });
}
BENCHMARK(search_step_growth)
    ->Arg(1000)
    ->Arg(2000)
    ->Arg(4000)
    ->Arg(8000)
    ->Iterations(3)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace sextant::bench
