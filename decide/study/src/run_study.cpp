#include "sextant/study/run_study.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <thread>

#include "claims.h"
#include "sextant/measure/clock.h"
#include "study_knowledge.h"
#include "study_proposer.h"
#include "trial_cost.h"

namespace sextant::study {
namespace {

constexpr const char* kAskedFor = "ask:";
constexpr auto kLookAtOthers = std::chrono::milliseconds(100);  // at what others do

// What a run cannot give: texts for people are all that is left of it.
explore::TrialOutcome finite(explore::TrialOutcome result) {
  for (const auto& [name, value] : result.metrics) {
    if (std::isfinite(value)) continue;
    return {.state = explore::TrialState::failed, .message = "metric '" + name + "' is no finite number"};
  }
  if (result.bound && !std::isfinite(*result.bound)) result.bound.reset();
  return result;
}

// A thread of this process, with what it alone uses.
struct Worker {
  std::string name;
  std::unique_ptr<StudyStore> store;
  std::unique_ptr<Evaluator> evaluator;
  const Claims::Held* claim = nullptr;  // of the trial in hand
};

// What is believed before the first run, and what earlier studies found.
explore::SearchProblem known_problem(const StudySpec& study, const StudyRunOptions& options) {
  explore::SearchProblem problem = study.problem;
  if (study.prior) problem.prior = prior_of(study, options.own.within);
  problem.past = past_studies(study, options.location);
  return problem;
}

class StudyRun {
 public:
  StudyRun(const StudySpec& study, StudyStore& store, const StudyRunOptions& options, Progress& progress)
      : study_(study),
        store_(store),
        options_(options),
        progress_(progress),
        proposer_(study, known_problem(study, options), running_seconds(store.trials())) {}

  StudyOutcome run() {
    std::vector<std::unique_ptr<Worker>> workers;
    for (std::int64_t i = 0; i < study_.parallel; ++i) {
      workers.push_back(make_worker(options_.worker + "/" + std::to_string(i)));
    }
    {
      Claims claims(store_.another(), [this](std::exception_ptr error) { fail(std::move(error)); });
      std::vector<std::thread> threads;
      for (const auto& worker : workers)
        threads.emplace_back([this, &worker, &claims] { work(*worker, claims); });
      for (std::thread& thread : threads) thread.join();
    }
    if (error_) std::rethrow_exception(error_);
    StudyOutcome outcome = study_outcome(study_, store_);
    outcome.end = stopping() ? StudyEnd::interrupted : proposer_.end();
    outcome.outlook = proposer_.outlook();
    return outcome;
  }

 private:
  std::unique_ptr<Worker> make_worker(const std::string& name) const {
    auto worker = std::make_unique<Worker>();
    worker->name = name;
    worker->store = store_.another();
    const Worker* self = worker.get();
    worker->evaluator = evaluators()
                            .get(study_.evaluator.kind, study_.evaluator.at)
                            .make({.study = study_,
                                   .own = options_.own,
                                   .scratch = options_.scratch,
                                   .interrupted = [this, self] {
                                     return abandoned() || (self->claim != nullptr && self->claim->lost());
                                   }});
    return worker;
  }

  [[nodiscard]] bool asked(const std::function<bool()>& question) const { return question && question(); }
  [[nodiscard]] bool abandoned() const { return failed_ || asked(options_.abandon); }
  [[nodiscard]] bool stopping() const {
    return own_interrupted_ || abandoned() || asked(options_.interrupted);
  }

  void fail(std::exception_ptr error) {
    const std::lock_guard lock(mutex_);
    if (!error_) error_ = std::move(error);
    failed_ = true;
  }

  void work(Worker& worker, Claims& claims) {
    const auto propose = [this](const std::vector<StoredTrial>& all) { return proposer_.next(all); };
    try {
      while (!stopping()) {
        std::optional<StoredTrial> trial = worker.store->claim(worker.name, propose);
        if (trial) {
          const Claims::Held claim(claims, *trial);
          worker.claim = &claim;
          evaluate(worker, *trial);
          worker.claim = nullptr;
        } else if (!others_run(*worker.store)) {
          return;
        } else {
          std::this_thread::sleep_for(kLookAtOthers);
        }
      }
    } catch (...) {
      fail(std::current_exception());
    }
  }

  // Trials that may come back to the queue, or whose results may change the strategy's mind. Those that were
  // asked for from outside may take for ever.
  static bool others_run(StudyStore& store) {
    return std::ranges::any_of(store.trials(), [](const StoredTrial& trial) {
      return trial.outcome.state == explore::TrialState::running && !trial.worker.starts_with(kAskedFor);
    });
  }

  void evaluate(const Worker& worker, StoredTrial& trial) {
    try {
      trial.configuration = study_.problem.space.parse(trial.levels);
    } catch (const InputError& error) {  // it was waiting while the study was changed
      trial.outcome = {.state = explore::TrialState::failed, .message = error.message()};
      worker.store->finish(trial);
      return;
    }
    if (options_.started) options_.started(trial);
    const std::int64_t began = measure::monotonic_ns();
    try {
      trial.outcome = run_with_retries(*worker.evaluator, trial);
      trial.seconds = measure::seconds_since(began);
      finish(*worker.store, trial);
    } catch (const EvaluationInterrupted&) {
      if (!worker.claim->lost()) own_interrupted_ = true;
      worker.store->give_back(trial.number, trial.worker);
    } catch (...) {
      worker.store->give_back(trial.number, trial.worker);
      throw;
    }
  }

  [[nodiscard]] explore::TrialOutcome run_with_retries(Evaluator& evaluator,
                                                       const explore::Trial& trial) const {
    explore::TrialOutcome result;
    for (std::int64_t left = study_.retries; left >= 0; --left) {
      result = finite(evaluator.run(trial));
      if (result.state != explore::TrialState::failed) break;
    }
    return result;
  }

  // The result is stored before anybody complains about its cost.
  void finish(StudyStore& store, StoredTrial& trial) {
    std::exception_ptr complaint;
    try {
      add_cost(study_, trial);
    } catch (const InputError&) {
      complaint = std::current_exception();
    }
    if (store.finish(trial)) tell(store, trial);
    if (complaint) std::rethrow_exception(complaint);
  }

  void tell(StudyStore& store, const StoredTrial& trial) {
    const std::lock_guard lock(telling_);
    const StudyCourse course = proposer_.course(store.trials());
    const auto done = static_cast<std::int64_t>(course.finished);
    progress_.step(done, study_.budget.trials.value_or(0), study_.name);
    if (options_.finished) options_.finished(trial, course);
  }

  const StudySpec& study_;
  StudyStore& store_;
  const StudyRunOptions& options_;
  Progress& progress_;
  StudyProposer proposer_;
  std::mutex mutex_;
  std::mutex telling_;
  std::exception_ptr error_;
  std::atomic<bool> failed_{false};
  std::atomic<bool> own_interrupted_{false};
};

void open(const StudySpec& study, StudyStore& store, bool force) {
  const StudyHeader header{study.name, study.text, study_identity(study)};
  if (force) store.redefine_study(header);
  store.open_study(header);
  check_cost_names(study);
}

}  // namespace

std::string end_text(StudyEnd end) {
  switch (end) {
    case StudyEnd::not_yet:
      return "not ended";
    case StudyEnd::budget:
      return "the budget is spent";
    case StudyEnd::strategy_stopped:
      return "the strategy stopped: no further trial is expected to pay";
    case StudyEnd::space_exhausted:
      return "every configuration was tried";
    case StudyEnd::design_done:
      return "the design is done";
    case StudyEnd::all_failed:
      return "given up: no trial has completed";
    case StudyEnd::interrupted:
      return "interrupted: run the same command again to continue";
  }
  throw std::logic_error("an end of no known kind");
}

StudyOutcome study_outcome(const StudySpec& study, StudyStore& store) {
  StudyOutcome outcome;
  outcome.trials = store.trials();
  outcome.seconds = running_seconds(outcome.trials);
  for (const StoredTrial& trial : outcome.trials) outcome.cost_usd += trial.cost;
  const std::vector<explore::Trial> trials = search_trials(study.problem.space, outcome.trials);
  const auto place = [&](std::size_t i) { return static_cast<std::size_t>(trials[i].number - 1); };
  if (const auto best = best_trial(study.problem, trials)) outcome.best = place(*best);
  if (study.problem.objectives.size() > 1) {
    for (const std::size_t i : pareto_trials(study.problem, trials)) outcome.front.push_back(place(i));
  }
  return outcome;
}

StudyOutcome run_study(const StudySpec& study, StudyStore& store, const StudyRunOptions& options,
                       Progress& progress) {
  if (study.evaluator.kind.empty()) {
    throw InputError({study.name}, "the study does not say what runs a trial",
                     "add a table [evaluator], or run trials yourself with 'explore ask' and 'explore tell'");
  }
  open(study, store, options.force);
  return StudyRun(study, store, options, progress).run();
}

AskedTrials ask_trials(const StudySpec& study, StudyStore& store, const StudyRunOptions& options,
                       std::size_t count) {
  open(study, store, options.force);
  StudyProposer proposer(study, known_problem(study, options), running_seconds(store.trials()));
  AskedTrials asked;
  const auto propose = [&](const std::vector<StoredTrial>& all) { return proposer.next(all); };
  while (asked.trials.size() < count && asked.end == StudyEnd::not_yet) {
    auto trial = store.claim(kAskedFor + options.worker, propose);
    if (trial) {
      asked.trials.push_back(std::move(*trial));
    } else {
      asked.end = proposer.end();
    }
  }
  return asked;
}

StoredTrial tell_trial(const StudySpec& study, StudyStore& store, std::int64_t number,
                       const explore::TrialOutcome& told) {
  open(study, store, false);
  const std::vector<StoredTrial>& all = store.trials();
  if (number < 1 || number > static_cast<std::int64_t>(all.size())) {
    throw InputError(at_field("trial"), "there is no trial " + std::to_string(number),
                     "'explore ask' gives one");
  }
  StoredTrial trial = all[static_cast<std::size_t>(number - 1)];
  if (trial.outcome.state != explore::TrialState::running) {
    throw InputError(at_field("trial"),
                     "trial " + std::to_string(number) + " has ended: " + state_text(trial.outcome.state));
  }
  trial.outcome = finite(told);
  if (trial.outcome.state != told.state) throw InputError(at_field("metric"), trial.outcome.message);
  if (const auto seconds = trial.outcome.metrics.find("seconds"); seconds != trial.outcome.metrics.end()) {
    trial.seconds = std::max(0.0, seconds->second);
  }
  trial.configuration = study.problem.space.parse(trial.levels, at_field("trial"));
  add_cost(study, trial);
  for (const explore::Objective& objective : study.problem.objectives) {
    if (trial.outcome.state != explore::TrialState::completed ||
        trial.outcome.metrics.contains(objective.metric))
      continue;
    throw InputError(at_field("metric"), "the objective '" + objective.metric + "' is missing",
                     objective.metric + "=VALUE, or `failed`");
  }
  if (!store.finish(trial)) {
    throw InputError(at_field("trial"),
                     "trial " + std::to_string(number) + " was given to another worker meanwhile");
  }
  return trial;
}

}  // namespace sextant::study
