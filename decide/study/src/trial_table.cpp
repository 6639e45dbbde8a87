#include "sextant/study/trial_table.h"

#include <set>
#include <sstream>

#include "sextant/core/text.h"

namespace sextant::study {
namespace {

// Metrics of any trial, but for those that are called as a factor is.
std::vector<std::string> metrics_beside(const std::vector<StoredTrial>& trials,
                                        const std::vector<std::string>& taken) {
  std::set<std::string> names;
  for (const StoredTrial& trial : trials) {
    for (const auto& [name, value] : trial.outcome.metrics) names.insert(name);
  }
  for (const std::string& name : taken) names.erase(name);
  return {names.begin(), names.end()};
}

}  // namespace

CsvTable trial_table(const std::vector<StoredTrial>& trials, const std::vector<std::string>& factors,
                     const std::string& name) {
  std::vector<std::string> taken = factors;
  taken.insert(taken.end(), {"trial", "cost", "seconds", "completed"});
  const std::vector<std::string> metrics = metrics_beside(trials, taken);
  std::vector<std::string> header = {"trial"};
  header.insert(header.end(), factors.begin(), factors.end());
  header.insert(header.end(), metrics.begin(), metrics.end());
  header.insert(header.end(), {"cost", "seconds", "completed"});
  std::ostringstream out;
  write_csv_row(out, header);
  for (const StoredTrial& trial : trials) {
    if (trial.outcome.state == explore::TrialState::running) continue;
    std::vector<std::string> row = {std::to_string(trial.number)};
    row.insert(row.end(), trial.levels.begin(), trial.levels.end());
    for (const std::string& metric : metrics) {
      const auto found = trial.outcome.metrics.find(metric);
      row.push_back(found == trial.outcome.metrics.end() ? "" : number_text(found->second));
    }
    const bool completed = trial.outcome.state == explore::TrialState::completed;
    row.insert(row.end(), {number_text(trial.cost), number_text(trial.seconds), completed ? "1" : "0"});
    write_csv_row(out, row);
  }
  return CsvTable::parse(out.str(), name);
}

}  // namespace sextant::study
