#include "sextant/report/study_report.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "sextant/core/text.h"
#include "sextant/core/unit_text.h"

namespace sextant::report {
namespace {

using enum Importance;

std::vector<std::string> shown_metrics(const study::StudySpec& study) {
  std::vector<std::string> names;
  const auto add = [&](const std::string& name) {
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  };
  for (const explore::Objective& objective : study.problem.objectives) add(objective.metric);
  for (const explore::MetricLimit& limit : study.problem.limits) add(limit.metric);
  return names;
}

// A number where the factor has numbers.
Cell level_cell(const std::string& text) {
  if (text.empty()) return {};
  Cell cell(text);
  if (const auto whole = to_integer(text)) {
    cell.value = *whole;
  } else if (const auto number = to_number(text)) {
    cell.value = *number;
  }
  return cell;
}

bool costs_known(const study::StudyOutcome& outcome) {
  return outcome.cost_usd > 0;
}

struct TrialRow {
  const study::StoredTrial& trial;
  bool costs = false;  // some trial of the study has a cost
};

// Names of users, which JSON keeps apart.
Fields<TrialRow> factor_fields(const study::StudySpec& study) {
  Fields<TrialRow> fields;
  const auto& factors = study.problem.space.factors();
  for (std::size_t i = 0; i < factors.size(); ++i) {
    const auto level = [i](const TrialRow& r) {
      return i < r.trial.levels.size() ? level_cell(r.trial.levels[i]) : Cell();
    };
    fields.push_back({factors[i].name, factors[i].name, level, identity, "configuration"});
  }
  return fields;
}

// What counts, of trials that completed.
Fields<TrialRow> metric_fields(const study::StudySpec& study) {
  Fields<TrialRow> fields;
  for (const std::string& metric : shown_metrics(study)) {
    const auto value = [metric](const TrialRow& r) {
      const auto& [state, metrics] = std::tie(r.trial.outcome.state, r.trial.outcome.metrics);
      const auto found = metrics.find(metric);
      const bool known = state == explore::TrialState::completed && found != metrics.end();
      return known ? digits_cell(found->second) : Cell();
    };
    fields.push_back({metric, metric, value, essential, "metrics"});
  }
  // JSON has all of every trial instead.
  const auto all = [](const TrialRow& r) { return Cell::nested(r.trial.outcome.metrics); };
  fields.push_back({"metrics", "", all, detail});
  return fields;
}

Cell trial_cost_cell(const TrialRow& row) {
  Cell cell(Dollars{row.trial.cost});
  if (!row.costs) cell.shown.clear();
  return cell;
}

Cell state_cell(const study::StoredTrial& trial) {
  const bool waits = trial.outcome.state == explore::TrialState::running && !trial.claimed;
  return waits ? "waiting" : study::state_text(trial.outcome.state);
}

Fields<TrialRow> course_fields(Importance importance, bool costs) {
  using R = const TrialRow&;
  return {
      {"trial_cost_usd", costs ? "trial's cost" : "", trial_cost_cell, costs ? usual : detail},
      {"state", "state", [](R r) { return state_cell(r.trial); }, importance},
      {"reason", "proposed as", [](R r) { return Cell(r.trial.reason); }, importance},
      {"bound", "", [](R r) { return Cell(r.trial.outcome.bound); }, detail},
      {"attempts", "", [](R r) { return Cell(r.trial.attempts); }, detail},
      {"message", importance == detail ? "" : "message", [](R r) { return Cell(r.trial.outcome.message); },
       importance},
  };
}

// Where and when it ran. For JSON alone: tables of the same trials are the same.
Fields<TrialRow> run_facts() {
  using R = const TrialRow&;
  const auto time = [](const std::string& text) { return Cell::nested(text.empty() ? Json() : Json(text)); };
  return {
      {"trial_seconds", "", [](R r) { return Cell::nested(r.trial.seconds); }, detail},
      {"worker", "", [](R r) { return Cell::nested(r.trial.worker); }, detail},
      {"proposed_at", "", [=](R r) { return time(r.trial.proposed_at); }, detail},
      {"finished_at", "", [=](R r) { return time(r.trial.finished_at); }, detail},
  };
}

Field<TrialRow> number_field() {
  return {"trial", "trial", [](const TrialRow& r) { return Cell(r.trial.number); }, identity};
}

// `course`: how important it is how the trials came about and ended.
Fields<TrialRow> trial_fields(const study::StudySpec& study, Importance course, bool costs) {
  return joined({Fields<TrialRow>{number_field()}, factor_fields(study), metric_fields(study),
                 course_fields(course, costs), run_facts()});
}

std::size_t count(const study::StudyOutcome& outcome, explore::TrialState state) {
  return static_cast<std::size_t>(std::ranges::count_if(
      outcome.trials, [state](const study::StoredTrial& trial) { return trial.outcome.state == state; }));
}

std::string counts_text(const study::StudyOutcome& outcome) {
  std::string text =
      std::to_string(outcome.trials.size()) + (outcome.trials.size() == 1 ? " trial" : " trials");
  if (outcome.end == study::StudyEnd::not_yet) text += " so far";
  const auto add = [&](explore::TrialState state, const std::string& word) {
    const std::size_t n = count(outcome, state);
    if (n > 0) text += ", " + std::to_string(n) + " " + word;
  };
  add(explore::TrialState::failed, "failed");
  add(explore::TrialState::timed_out, "timed out");
  add(explore::TrialState::running, "running or waiting");
  if (costs_known(outcome)) text += "; cost " + human(Dollars{outcome.cost_usd});
  return text;
}

std::string tenth_percent(double fraction) {
  return number_text(std::round(1000 * fraction) / 10) + " %";
}

// Two numbers that seem to contradict each other: a small gain may be likely.
std::string outlook_text(const study::Outlook& outlook) {
  const std::string chance = tenth_percent(outlook.chance_of_better);
  if (!outlook.improvement) return "the chance that one more trial is better, even slightly, is " + chance;
  return "one more trial is expected to improve the best by " + tenth_percent(*outlook.improvement) +
         " on average; the chance that it is better, even slightly, is " + chance;
}

std::vector<std::string> notes(const study::StudySpec& study, const study::StudyOutcome& outcome) {
  const bool goes_on = outcome.end == study::StudyEnd::not_yet;
  std::vector<std::string> lines = {goes_on ? counts_text(outcome)
                                            : end_text(outcome.end) + "; " + counts_text(outcome)};
  if (outcome.outlook) lines.push_back(outlook_text(*outcome.outlook));
  if (!outcome.best && !outcome.trials.empty()) {
    const auto failed = std::ranges::find_if(
        outcome.trials, [](const study::StoredTrial& trial) { return !trial.outcome.message.empty(); });
    lines.emplace_back(study.problem.limits.empty() ? "no trial succeeded"
                                                    : "no trial succeeded within the limits");
    if (failed != outcome.trials.end()) {
      lines.push_back("trial " + std::to_string(failed->number) + ": " + failed->outcome.message);
    }
  }
  return lines;
}

std::string assignment(const study::StudySpec& study, const study::StoredTrial& trial) {
  std::string text;
  for (std::size_t i = 0; i < study.problem.space.factors().size() && i < trial.levels.size(); ++i) {
    if (trial.levels[i].empty()) continue;
    text += (text.empty() ? "" : " ") + study.problem.space.factors()[i].name + "=" + trial.levels[i];
  }
  return text;
}

// "trial 3/15  batch=16 workers=2"
std::string numbered(const study::StudySpec& study, const study::StoredTrial& trial) {
  std::string text = "trial " + std::to_string(trial.number);
  if (study.budget.trials) text += "/" + std::to_string(*study.budget.trials);
  return text + "  " + assignment(study, trial);
}

std::string metric_text(const study::StoredTrial& trial, const std::string& metric) {
  const auto found = trial.outcome.metrics.find(metric);
  return found == trial.outcome.metrics.end() ? "?" : digits_cell(found->second).shown;
}

// The best trial, or the front of several objectives.
Table best_table(const study::StudySpec& study, const study::StudyOutcome& outcome) {
  std::vector<std::size_t> shown = outcome.front;
  if (shown.empty() && outcome.best) shown = {*outcome.best};
  std::vector<TrialRow> rows;
  for (const std::size_t i : shown) rows.push_back({outcome.trials[i], costs_known(outcome)});
  Table table = table_of(trial_fields(study, detail, costs_known(outcome)), rows);
  table.notes = notes(study, outcome);
  return table;
}

Table trials_table(const study::StudySpec& study, const study::StudyOutcome& outcome) {
  std::vector<TrialRow> rows;
  for (const study::StoredTrial& trial : outcome.trials) rows.push_back({trial, costs_known(outcome)});
  Table table = table_of(trial_fields(study, usual, costs_known(outcome)), rows);
  table.notes = notes(study, outcome);
  if (outcome.best) {
    table.notes.insert(table.notes.begin(),
                       "best: trial " + std::to_string(outcome.trials[*outcome.best].number));
  }
  return table;
}

Cell objectives_cell(const study::StudySpec& study) {
  using explore::Objective;
  using O = const Objective&;
  const Fields<Objective> fields = {
      {"metric", "metric", [](O o) { return Cell(o.metric); }},
      {"goal", "goal", [](O o) { return Cell(o.maximise ? "maximise" : "minimise"); }},
  };
  return Cell::nested(to_json(table_of(fields, study.problem.objectives)));
}

Cell front_trials(const study::StudyOutcome& outcome) {
  std::vector<std::int64_t> numbers;
  for (const std::size_t i : outcome.front) numbers.push_back(outcome.trials[i].number);
  return Cell::nested(numbers);
}

Cell expected_improvement(const study::StudyOutcome& outcome) {
  return outcome.outlook ? Cell(outcome.outlook->improvement) : Cell();
}

Cell chance_of_better(const study::StudyOutcome& outcome) {
  return outcome.outlook ? Cell(outcome.outlook->chance_of_better) : Cell();
}

Fields<study::StudyOutcome> study_facts(const study::StudySpec& study) {
  using O = const study::StudyOutcome&;
  const auto best = [](O o) { return o.best ? Cell(o.trials[*o.best].number) : Cell(); };
  return {
      {"study", "study", [&study](O) { return Cell(study.name); }},
      {"strategy", "strategy", [&study](O) { return Cell(study.strategy); }},
      {"objectives", "", [&study](O) { return objectives_cell(study); }, detail},
      {"end", "end", [](O o) { return Cell(end_text(o.end)); }},
      {"best_trial", "best trial", best},
      {"front", "", front_trials, detail},
      {"cost_usd", "cost", [](O o) { return Cell(Dollars{o.cost_usd}); }},
      {"seconds", "time", [](O o) { return Cell(Seconds{o.seconds}); }},
      {"expected_improvement", "expected improvement", expected_improvement},
      {"chance_of_better", "chance of better", chance_of_better},
  };
}

}  // namespace

Result study_result(const study::StudySpec& study, const study::StudyOutcome& outcome, StudyTrials shown) {
  const bool all = shown == StudyTrials::all;
  Section best{.key = "best", .table = best_table(study, outcome), .shown = !all};
  Section trials{.key = "trials", .table = trials_table(study, outcome), .shown = all};
  if (all) std::swap(best, trials);
  return {.schema = "sextant.study/2",
          .sections = {std::move(best), std::move(trials)},
          .facts = facts_of(study_facts(study), outcome)};
}

Result studies_result(const std::vector<ask::StudyAnswer>& studies) {
  using S = const ask::StudyAnswer&;
  const auto best = [](S s) {
    return s.outcome.best ? Cell(assignment(s.study, s.outcome.trials[*s.outcome.best])) : Cell();
  };
  const auto value = [](S s) {
    if (!s.outcome.best) return Cell();
    const std::string metric = s.study.problem.objectives.front().metric;
    return digits_cell(s.outcome.trials[*s.outcome.best].outcome.metrics.at(metric));
  };
  const auto objective = [](S s) { return Cell(s.study.problem.objectives.front().metric); };
  const auto trials = [](S s) { return Cell(static_cast<std::int64_t>(s.outcome.trials.size())); };
  const Fields<ask::StudyAnswer> fields = {
      {"study", "study", [](S s) { return Cell(s.study.name); }, identity},
      {"trials", "trials", trials, essential},
      {"objective", "objective", objective},
      {"best_value", "best value", value, essential},
      {"best_configuration", "best configuration", best},
  };
  Table table = table_of(fields, studies);
  table.notes.emplace_back("this store holds several studies; `name` shows the trials of one");
  return {.schema = "sextant.studies/1", .sections = {{.key = "studies", .table = std::move(table)}}};
}

std::string started_line(const study::StudySpec& study, const study::StoredTrial& trial) {
  return numbered(study, trial) + "  starts";
}

std::string waiting_line(const std::vector<std::int64_t>& trials) {
  std::vector<std::string> numbers;
  for (const std::int64_t number : trials) numbers.push_back(std::to_string(number));
  const bool one = numbers.size() == 1;
  return std::string("Waiting for ") + (one ? "trial " : "trials ") + join(numbers, ", ") +
         (one ? ", which runs; press Ctrl-C again to stop it."
              : ", which run; press Ctrl-C again to stop them.");
}

std::string trial_line(const study::StudySpec& study, const study::StoredTrial& trial,
                       const study::StudyCourse& course) {
  const std::string metric = study.problem.objectives.front().metric;
  std::string line = numbered(study, trial) + "  ";
  line += trial.outcome.state == explore::TrialState::completed
              ? metric + " " + metric_text(trial, metric)
              : study::state_text(trial.outcome.state) + ": " + trial.outcome.message;
  if (course.best) {
    line += "; best " + metric_text(*course.best, metric) + " (trial " + std::to_string(course.best->number) +
            ")";
  }
  if (course.cost_usd > 0) line += "; spent " + human(Dollars{course.cost_usd});
  return line;
}

Result asked_result(const study::StudySpec& study, const std::vector<study::StoredTrial>& trials) {
  std::vector<TrialRow> rows;
  for (const study::StoredTrial& trial : trials) rows.push_back({trial});
  const Field<TrialRow> reason = {"reason", "proposed as",
                                  [](const TrialRow& r) { return Cell(r.trial.reason); }};
  const Fields<TrialRow> fields =
      joined({Fields<TrialRow>{number_field()}, factor_fields(study), Fields<TrialRow>{reason}});
  return {.schema = "sextant.asked-trials/1",
          .sections = {{.key = "trials", .table = table_of(fields, rows)}}};
}

}  // namespace sextant::report
