#include "sextant/report/study_report.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "sextant/core/text.h"
#include "sextant/core/unit_text.h"

namespace sextant::report {
namespace {

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
  const auto number = to_number(text);
  Cell cell(text);
  if (number) cell.value = *number;
  return cell;
}

bool costs_known(const study::StudyOutcome& outcome) {
  return outcome.cost_usd > 0;
}

std::vector<Column> columns(const study::StudySpec& study, const study::StudyOutcome& outcome) {
  std::vector<Column> all = {{"trial", "trial"}};
  for (const explore::SearchFactor& factor : study.problem.space.factors())
    all.push_back({factor.name, factor.name});
  for (const std::string& metric : shown_metrics(study)) all.push_back({metric, metric});
  if (costs_known(outcome)) all.push_back({"trial_cost_usd", "trial's cost"});
  return all;
}

std::vector<Cell> row(const study::StudySpec& study, const study::StudyOutcome& outcome,
                      const study::StoredTrial& trial) {
  std::vector<Cell> cells = {trial.number};
  for (std::size_t i = 0; i < study.problem.space.factors().size(); ++i) {
    cells.push_back(i < trial.levels.size() ? level_cell(trial.levels[i]) : Cell());
  }
  for (const std::string& metric : shown_metrics(study)) {
    const auto found = trial.outcome.metrics.find(metric);
    const bool known =
        trial.outcome.state == explore::TrialState::completed && found != trial.outcome.metrics.end();
    cells.push_back(known ? digits_cell(found->second) : Cell());
  }
  if (costs_known(outcome)) cells.emplace_back(Dollars{trial.cost});
  return cells;
}

std::size_t count(const study::StudyOutcome& outcome, explore::TrialState state) {
  return static_cast<std::size_t>(std::ranges::count_if(
      outcome.trials, [state](const study::StoredTrial& trial) { return trial.outcome.state == state; }));
}

std::string counts_text(const study::StudyOutcome& outcome) {
  std::string text =
      std::to_string(outcome.trials.size()) + (outcome.trials.size() == 1 ? " trial" : " trials");
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

std::vector<std::string> notes(const study::StudyOutcome& outcome) {
  std::vector<std::string> lines = {end_text(outcome.end) + "; " + counts_text(outcome)};
  if (outcome.chance_of_better) {
    lines.push_back("chance that another trial is better: " + tenth_percent(*outcome.chance_of_better));
  }
  if (!outcome.best && !outcome.trials.empty()) {
    const auto failed = std::ranges::find_if(
        outcome.trials, [](const study::StoredTrial& trial) { return !trial.outcome.message.empty(); });
    lines.emplace_back("no trial completed within the limits");
    if (failed != outcome.trials.end()) {
      lines.push_back("trial " + std::to_string(failed->number) + ": " + failed->outcome.message);
    }
  }
  return lines;
}

Json level_json(const std::string& text) {
  if (text.empty()) return {};
  if (const auto whole = to_integer(text)) return *whole;
  const auto number = to_number(text);
  return number ? Json(*number) : Json(text);
}

Json configuration_json(const study::StudySpec& study, const study::StoredTrial& trial) {
  Json json = Json::object();
  for (std::size_t i = 0; i < study.problem.space.factors().size() && i < trial.levels.size(); ++i) {
    json[study.problem.space.factors()[i].name] = level_json(trial.levels[i]);
  }
  return json;
}

Json trial_json(const study::StudySpec& study, const study::StoredTrial& trial) {
  Json json = {{"trial", trial.number},
               {"state", study::state_text(trial.outcome.state)},
               {"configuration", configuration_json(study, trial)},
               {"metrics", Json::object()}};
  for (const auto& [name, value] : trial.outcome.metrics) json["metrics"][name] = value;
  json["bound"] = trial.outcome.bound ? Json(*trial.outcome.bound) : Json();
  json["cost_usd"] = trial.cost;
  json["seconds"] = trial.seconds;
  json["attempts"] = trial.attempts;
  json["worker"] = trial.worker;
  json["reason"] = trial.reason;
  json["message"] = trial.outcome.message;
  json["proposed_at"] = trial.proposed_at;
  json["finished_at"] = trial.finished_at.empty() ? Json() : Json(trial.finished_at);
  return json;
}

std::string assignment(const study::StudySpec& study, const study::StoredTrial& trial) {
  std::string text;
  for (std::size_t i = 0; i < study.problem.space.factors().size() && i < trial.levels.size(); ++i) {
    if (trial.levels[i].empty()) continue;
    text += (text.empty() ? "" : " ") + study.problem.space.factors()[i].name + "=" + trial.levels[i];
  }
  return text;
}

std::string metric_text(const study::StoredTrial& trial, const std::string& metric) {
  const auto found = trial.outcome.metrics.find(metric);
  return found == trial.outcome.metrics.end() ? "?" : digits_cell(found->second).shown;
}

}  // namespace

Table study_result_table(const study::StudySpec& study, const study::StudyOutcome& outcome) {
  Table table;
  table.columns = columns(study, outcome);
  std::vector<std::size_t> shown = outcome.front;
  if (shown.empty() && outcome.best) shown = {*outcome.best};
  for (const std::size_t i : shown) table.rows.push_back(row(study, outcome, outcome.trials[i]));
  table.notes = notes(outcome);
  return table;
}

Table study_trials_table(const study::StudySpec& study, const study::StudyOutcome& outcome) {
  Table table;
  table.columns = columns(study, outcome);
  table.columns.push_back({"state", "state"});
  table.columns.push_back({"reason", "why"});
  for (const study::StoredTrial& trial : outcome.trials) {
    std::vector<Cell> cells = row(study, outcome, trial);
    const bool waits = trial.outcome.state == explore::TrialState::running && !trial.claimed;
    cells.emplace_back(waits ? "waiting" : study::state_text(trial.outcome.state));
    cells.emplace_back(trial.reason);
    table.rows.push_back(std::move(cells));
  }
  table.notes = notes(outcome);
  if (outcome.best) {
    table.notes.insert(table.notes.begin(),
                       "best: trial " + std::to_string(outcome.trials[*outcome.best].number));
  }
  return table;
}

Json study_json(const study::StudySpec& study, const study::StudyOutcome& outcome) {
  Json json = {{"schema", "sextant.study/1"}, {"study", study.name}, {"strategy", study.strategy}};
  json["objectives"] = Json::array();
  for (const explore::Objective& objective : study.problem.objectives) {
    json["objectives"].push_back(
        {{"metric", objective.metric}, {"goal", objective.maximise ? "maximise" : "minimise"}});
  }
  json["end"] = end_text(outcome.end);
  json["best"] = outcome.best ? trial_json(study, outcome.trials[*outcome.best]) : Json();
  json["front"] = Json::array();
  for (const std::size_t i : outcome.front) json["front"].push_back(outcome.trials[i].number);
  json["cost_usd"] = outcome.cost_usd;
  json["seconds"] = outcome.seconds;
  json["chance_of_better"] = outcome.chance_of_better ? Json(*outcome.chance_of_better) : Json();
  json["trials"] = Json::array();
  for (const study::StoredTrial& trial : outcome.trials) json["trials"].push_back(trial_json(study, trial));
  return json;
}

std::string trial_line(const study::StudySpec& study, const study::StoredTrial& trial,
                       const study::StudyOutcome& outcome) {
  const std::string metric = study.problem.objectives.front().metric;
  std::string line = "trial " + std::to_string(trial.number);
  if (study.budget.trials) line += "/" + std::to_string(*study.budget.trials);
  line += "  " + assignment(study, trial) + "  ";
  line += trial.outcome.state == explore::TrialState::completed
              ? metric + " " + metric_text(trial, metric)
              : study::state_text(trial.outcome.state) + ": " + trial.outcome.message;
  if (outcome.best) {
    const study::StoredTrial& best = outcome.trials[*outcome.best];
    line += "; best " + metric_text(best, metric) + " (trial " + std::to_string(best.number) + ")";
  }
  if (costs_known(outcome)) line += "; spent " + human(Dollars{outcome.cost_usd});
  if (outcome.chance_of_better) line += "; chance of better " + tenth_percent(*outcome.chance_of_better);
  return line;
}

Table asked_table(const study::StudySpec& study, const std::vector<study::StoredTrial>& trials) {
  Table table;
  table.columns = {{"trial", "trial"}};
  for (const explore::SearchFactor& factor : study.problem.space.factors()) {
    table.columns.push_back({factor.name, factor.name});
  }
  table.columns.push_back({"reason", "why"});
  for (const study::StoredTrial& trial : trials) {
    std::vector<Cell> cells = {trial.number};
    for (const std::string& text : trial.levels) cells.push_back(level_cell(text));
    cells.emplace_back(trial.reason);
    table.rows.push_back(std::move(cells));
  }
  return table;
}

Json asked_json(const study::StudySpec& study, const std::vector<study::StoredTrial>& trials) {
  Json list = Json::array();
  for (const study::StoredTrial& trial : trials) {
    list.push_back({{"trial", trial.number},
                    {"configuration", configuration_json(study, trial)},
                    {"reason", trial.reason}});
  }
  return list;
}

}  // namespace sextant::report
