#include "study_proposer.h"

#include <algorithm>
#include <cstdio>
#include <ctime>

namespace sextant::study {
namespace {

constexpr const char* kDesign = "design ";

// Of "2024-05-01T10:00:00.123Z"; nothing where it is not so.
std::optional<double> unix_seconds(const std::string& text) {
  std::tm parts{};
  double seconds = 0;
  const int read = std::sscanf(text.c_str(), "%d-%d-%dT%d:%d:%lfZ", &parts.tm_year, &parts.tm_mon,
                               &parts.tm_mday, &parts.tm_hour, &parts.tm_min, &seconds);
  if (read != 6) return {};
  parts.tm_year -= 1900;
  parts.tm_mon -= 1;
  return static_cast<double>(::timegm(&parts)) + seconds;
}

std::size_t finished(const std::vector<StoredTrial>& all) {
  return static_cast<std::size_t>(std::ranges::count_if(
      all, [](const StoredTrial& t) { return t.outcome.state != explore::TrialState::running; }));
}

}  // namespace

double running_seconds(const std::vector<StoredTrial>& trials) {
  std::vector<std::pair<double, double>> spans;
  for (const StoredTrial& trial : trials) {
    const auto end = unix_seconds(trial.finished_at);
    if (end) spans.emplace_back(*end - trial.seconds, *end);
  }
  std::ranges::sort(spans);
  double total = 0;
  double until = -std::numeric_limits<double>::infinity();
  for (const auto& [from, to] : spans) {
    total += std::max(0.0, to - std::max(from, until));
    until = std::max(until, to);
  }
  return total;
}

StudyProposer::StudyProposer(const StudySpec& study, explore::SearchProblem problem, double seconds_before)
    : study_(study), problem_(std::move(problem)), seconds_before_(seconds_before) {
  if (study.strategy != "none") strategy_ = explore::make_search_strategy(study.strategy, {"strategy"});
  if (!study.design) return;
  plan_ = explore::plan_design(*study.design,
                               {.space = problem_.space,
                                .runs = static_cast<std::size_t>(study.design_runs),
                                .replicates = static_cast<std::size_t>(study.replicates),
                                .seed = study.seed},
                               {"design"});
}

StudyEnd StudyProposer::end() const {
  const std::lock_guard lock(mutex_);
  return end_;
}

std::optional<double> StudyProposer::chance_of_better() const {
  const std::lock_guard lock(mutex_);
  return chance_;
}

StoredTrial StudyProposer::stored(const explore::Configuration& configuration, std::string reason) const {
  StoredTrial trial;
  for (std::size_t i = 0; i < problem_.space.factors().size(); ++i) {
    trial.levels.push_back(problem_.space.text(configuration, i));
  }
  trial.reason = std::move(reason);
  return trial;
}

// Trials that run will cost what the others did.
std::optional<StudyEnd> StudyProposer::spent(const std::vector<StoredTrial>& all) const {
  const SearchBudget& budget = study_.budget;
  if (budget.trials && static_cast<std::int64_t>(all.size()) >= *budget.trials) return StudyEnd::budget;
  const std::chrono::duration<double> now = std::chrono::steady_clock::now() - began_;
  if (budget.seconds && seconds_before_ + now.count() >= *budget.seconds) return StudyEnd::budget;
  double cost = 0;
  bool completed = false;
  std::int64_t failed = 0;
  for (const StoredTrial& trial : all) {
    cost += trial.cost;
    completed = completed || trial.outcome.state == explore::TrialState::completed;
    failed += trial.outcome.state == explore::TrialState::failed ? 1 : 0;
  }
  const std::size_t done = finished(all);
  const double running = static_cast<double>(all.size() - done);
  const double expected = done == 0 ? 0 : running * cost / static_cast<double>(done);
  if (budget.cost_usd && cost + expected >= *budget.cost_usd) return StudyEnd::budget;
  if (!completed && study_.give_up > 0 && failed >= study_.give_up) return StudyEnd::all_failed;
  return {};
}

std::optional<StoredTrial> StudyProposer::from_design(const std::vector<StoredTrial>& all) {
  const auto planned = static_cast<std::size_t>(
      std::ranges::count_if(all, [](const StoredTrial& t) { return t.reason.starts_with(kDesign); }));
  if (planned >= plan_.runs.size()) return {};
  const std::string reason =
      kDesign + std::to_string(planned + 1) + " of " + std::to_string(plan_.runs.size());
  return stored(plan_.runs[planned].configuration, reason);
}

std::optional<StoredTrial> StudyProposer::from_strategy(const std::vector<StoredTrial>& all) {
  if (!strategy_) {
    end_ = StudyEnd::design_done;
    return {};
  }
  const std::vector<explore::Trial> trials = search_trials(problem_.space, all);
  const std::optional<explore::Proposal> proposal = strategy_->propose({problem_, trials, study_.seed});
  if (proposal) chance_ = proposal->chance_of_better;
  end_ = proposal ? StudyEnd::strategy_stopped : StudyEnd::space_exhausted;
  if (!proposal || (proposal->stop && study_.stop)) return {};
  return stored(proposal->configuration, proposal->reason);
}

std::optional<StoredTrial> StudyProposer::next(const std::vector<StoredTrial>& all) {
  const std::lock_guard lock(mutex_);
  const Counts counts{all.size(), finished(all)};
  if (ended_at_ == counts) return {};  // asked again while others run
  std::optional<StoredTrial> trial;
  if (const std::optional<StudyEnd> end = spent(all)) {
    end_ = *end;
  } else {
    trial = from_design(all);
    if (!trial) trial = from_strategy(all);
  }
  ended_at_ = trial ? std::nullopt : std::optional(counts);
  return trial;
}

}  // namespace sextant::study
