#include "sextant/study/table_search.h"

#include <algorithm>
#include <mutex>

#include "recorded_table.h"
#include "sextant/core/run_list.h"
#include "sextant/explore/search_strategy.h"
#include "sextant/stats/quantiles.h"

namespace sextant::study {
namespace {

// One search of one group.
struct SearchPath {
  std::vector<double> best;   // over the optimum, after each trial
  std::vector<double> spent;  // over the optimum
  std::size_t stopped_after = 0;
};

explore::Trial trial_of(const RecordedRun& run, const std::string& objective, std::size_t number) {
  explore::Trial trial;
  trial.number = static_cast<std::int64_t>(number);
  trial.configuration = run.configuration;
  trial.outcome.state = run.completed ? explore::TrialState::completed : explore::TrialState::failed;
  if (run.completed) trial.outcome.metrics[objective] = run.cost;
  return trial;
}

// Other groups as finished studies, of configurations that this group has.
std::vector<explore::PastStudy> past_of(const RecordedTable& table, const RecordedGroup& group,
                                        const std::string& objective) {
  std::vector<explore::PastStudy> past;
  for (const RecordedGroup& other : table.groups) {
    if (other.name == group.name || other.apart == group.apart) continue;
    explore::PastStudy study{.name = other.name, .trials = {}};
    for (const RecordedRun& run : other.runs) {
      if (group.space.valid(run.configuration)) {
        study.trials.push_back(trial_of(run, objective, study.trials.size() + 1));
      }
    }
    past.push_back(std::move(study));
  }
  return past;
}

explore::Prior prior_of(const RecordedGroup& group) {
  return [&group](const explore::Configuration& configuration) -> std::optional<explore::PriorBelief> {
    const auto run = std::ranges::find(group.runs, configuration, &RecordedRun::configuration);
    if (run == group.runs.end() || !run->prior) return std::nullopt;
    return explore::PriorBelief{.value = *run->prior};
  };
}

struct SearchTask {
  const RecordedGroup& group;
  const explore::SearchProblem& problem;
  const explore::SearchStrategy& strategy;
  std::size_t trials = 0;
  std::uint64_t seed = 0;
};

SearchPath search(const SearchTask& task) {
  const std::vector<RecordedRun>& runs = task.group.runs;
  SearchPath path;
  std::vector<explore::Trial> trials;
  std::optional<std::size_t> stopped;
  double completed = std::numeric_limits<double>::infinity();
  double penalised = completed;
  double spent = 0;
  while (trials.size() < task.trials) {
    const std::optional<explore::Proposal> next = task.strategy.propose({task.problem, trials, task.seed});
    if (!next) break;
    if (next->stop && !stopped) stopped = trials.size();
    const auto run = std::ranges::find(runs, next->configuration, &RecordedRun::configuration);
    if (run == runs.end()) throw std::logic_error("a strategy proposed what the table does not have");
    trials.push_back(trial_of(*run, task.problem.objectives.front().metric, trials.size() + 1));
    if (run->completed) completed = std::min(completed, run->cost);
    penalised = std::min(penalised, run->penalty);
    spent += run->penalty;
    // Before anything has completed, what failed counts by its penalty.
    path.best.push_back((std::isfinite(completed) ? completed : penalised) / task.group.optimum);
    path.spent.push_back(spent / task.group.optimum);
  }
  path.stopped_after = std::max<std::size_t>(1, stopped.value_or(trials.size()));
  path.best.resize(task.trials, path.best.back());
  path.spent.resize(task.trials, path.spent.back());
  return path;
}

TableSearchResult summary(const std::vector<SearchPath>& paths) {
  TableSearchResult result;
  result.seeds = paths.size();
  const auto count = static_cast<double>(paths.size());
  for (std::size_t t = 0; t < paths.front().best.size(); ++t) {
    std::vector<double> values;
    double sum = 0;
    for (const SearchPath& path : paths) {
      values.push_back(path.best[t]);
      sum += path.best[t];
    }
    result.best_over_optimum_mean.push_back(sum / count);
    result.best_over_optimum_p90.push_back(stats::sample_quantile(values, 0.9));
  }
  for (const SearchPath& path : paths) {
    result.search_cost_over_optimum_mean += path.spent.back();
    result.stopped_after_mean += static_cast<double>(path.stopped_after);
    result.stopped_ratio_mean += path.best[path.stopped_after - 1];
    result.stopped_cost_mean += path.spent[path.stopped_after - 1];
  }
  for (double* sum : {&result.search_cost_over_optimum_mean, &result.stopped_after_mean,
                      &result.stopped_ratio_mean, &result.stopped_cost_mean}) {
    *sum /= count;
  }
  return result;
}

std::vector<explore::SearchProblem> problems_of(const RecordedTable& table,
                                                const TableSearchRequest& request) {
  std::vector<explore::SearchProblem> problems;
  for (const RecordedGroup& group : table.groups) {
    problems.push_back({.space = group.space,
                        .objectives = {{.metric = request.objective}},
                        .prior = request.prior.empty() ? explore::Prior{} : prior_of(group),
                        .past = request.transfer_apart.empty() ? std::vector<explore::PastStudy>{}
                                                               : past_of(table, group, request.objective)});
  }
  return problems;
}

}  // namespace

TableSearchReport search_table(const CsvTable& table, const TableSearchRequest& request, Progress& progress) {
  if (request.strategies.empty()) throw InputError(at_field("strategy"), "there is no strategy to compare");
  if (request.trials == 0 || request.seeds == 0) throw InputError("trials and seeds are at least 1");
  const RecordedTable recorded = read_recorded_table(table, request);
  std::vector<std::unique_ptr<explore::SearchStrategy>> strategies;
  for (const std::string& text : request.strategies) {
    strategies.push_back(explore::make_search_strategy(text, at_field("strategy")));
  }
  const std::vector<explore::SearchProblem> problems = problems_of(recorded, request);
  const std::size_t pairs = recorded.groups.size() * strategies.size();
  std::vector<std::vector<SearchPath>> paths(pairs, std::vector<SearchPath>(request.seeds));
  std::mutex mutex;
  std::int64_t done = 0;
  in_parallel(pairs * request.seeds, request.threads, [&](std::size_t task) {
    const std::size_t pair = task / request.seeds;
    const std::size_t seed = task % request.seeds;
    const std::size_t group = pair / strategies.size();
    paths[pair][seed] = search({.group = recorded.groups[group],
                                .problem = problems[group],
                                .strategy = *strategies[pair % strategies.size()],
                                .trials = request.trials,
                                .seed = Rng(request.seed).stream(recorded.groups[group].name, seed).bits()});
    const std::scoped_lock lock(mutex);
    progress.step(++done, static_cast<std::int64_t>(pairs * request.seeds), recorded.groups[group].name);
  });
  TableSearchReport report{.results = {}, .skipped = recorded.skipped};
  for (std::size_t pair = 0; pair < pairs; ++pair) {
    TableSearchResult result = summary(paths[pair]);
    const RecordedGroup& group = recorded.groups[pair / strategies.size()];
    result.group = group.name;
    result.strategy = request.strategies[pair % strategies.size()];
    result.optimum = group.optimum;
    report.results.push_back(std::move(result));
  }
  return report;
}

}  // namespace sextant::study
