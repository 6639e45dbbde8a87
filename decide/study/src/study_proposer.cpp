#include "study_proposer.h"

#include <algorithm>
#include <cstdio>
#include <ctime>

namespace sextant::study {
namespace {

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

std::optional<Outlook> outlook_of(const explore::Proposal& proposal) {
  if (!proposal.chance_of_better) return std::nullopt;
  return Outlook{.improvement = proposal.improvement, .chance_of_better = *proposal.chance_of_better};
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
    : study_(study), problem_(std::move(problem)), seconds_before_(seconds_before), log_(study) {
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

std::optional<Outlook> StudyProposer::outlook() const {
  const std::lock_guard lock(mutex_);
  return outlook_;
}

StudyCourse StudyProposer::course(const std::vector<StoredTrial>& all) {
  const std::lock_guard lock(mutex_);
  log_.update(all);
  return {.finished = log_.finished(), .best = log_.best(), .cost_usd = log_.cost_usd()};
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
std::optional<StudyEnd> StudyProposer::spent() const {
  const SearchBudget& budget = study_.budget;
  if (budget.trials && static_cast<std::int64_t>(log_.count()) >= *budget.trials) return StudyEnd::budget;
  const double seconds = seconds_before_ + measure::seconds_since(began_);
  if (budget.seconds && seconds >= *budget.seconds) return StudyEnd::budget;
  const std::size_t done = log_.finished();
  const double running = static_cast<double>(log_.count() - done);
  const double expected = done == 0 ? 0 : running * log_.cost_usd() / static_cast<double>(done);
  if (budget.cost_usd && log_.cost_usd() + expected >= *budget.cost_usd) return StudyEnd::budget;
  const bool many_failed = static_cast<std::int64_t>(log_.failed()) >= study_.give_up;
  if (!log_.any_completed() && study_.give_up > 0 && many_failed) return StudyEnd::all_failed;
  return {};
}

std::optional<StoredTrial> StudyProposer::from_design() {
  const std::size_t planned = log_.planned();
  if (planned >= plan_.runs.size()) return {};
  const std::string reason =
      kDesignReason + std::to_string(planned + 1) + " of " + std::to_string(plan_.runs.size());
  return stored(plan_.runs[planned].configuration, reason);
}

std::optional<StoredTrial> StudyProposer::from_strategy() {
  if (!strategy_) {
    end_ = StudyEnd::design_done;
    return {};
  }
  const std::optional<explore::Proposal> proposal =
      strategy_->propose({problem_, log_.placed(), study_.seed, &log_.tried()});
  if (proposal) outlook_ = outlook_of(*proposal);
  end_ = proposal ? StudyEnd::strategy_stopped : StudyEnd::space_exhausted;
  if (!proposal || (proposal->stop && study_.stop)) return {};
  return stored(proposal->configuration, proposal->reason);
}

std::optional<StoredTrial> StudyProposer::next(const std::vector<StoredTrial>& all) {
  const std::lock_guard lock(mutex_);
  log_.update(all);
  const Counts counts{log_.count(), log_.finished()};
  if (ended_at_ == counts) return {};  // asked again while others run
  std::optional<StoredTrial> trial;
  if (const std::optional<StudyEnd> end = spent()) {
    end_ = *end;
  } else {
    trial = from_design();
    if (!trial) trial = from_strategy();
  }
  ended_at_ = trial ? std::nullopt : std::optional(counts);
  return trial;
}

}  // namespace sextant::study
