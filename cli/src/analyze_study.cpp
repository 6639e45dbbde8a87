#include "analyze_study.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "catalog_option.h"
#include "sextant/core/text.h"
#include "sextant/study/study_file.h"
#include "sextant/study/study_store.h"

namespace sextant {
namespace {

StudyHeader chosen_study(const AnalyzeArgs& args, StudyStore& store) {
  const std::vector<StudyHeader> all = store.studies();
  std::vector<std::string> names;
  for (const StudyHeader& header : all) names.push_back(header.name);
  if (all.empty())
    throw InputError({shown_location(args.input)}, "holds no study", "run sextant explore first");
  if (!args.study) {
    if (all.size() == 1) return all.front();
    throw InputError({shown_location(args.input)}, "holds several studies",
                     "name one with --study: " + join(names, ", "));
  }
  for (const StudyHeader& header : all) {
    if (header.name == *args.study) return header;
  }
  throw InputError({"--study"}, "no study '" + *args.study + "'", name_hint(*args.study, names));
}

// Metrics of any trial, but for those that are called as a factor is.
std::vector<std::string> metric_names(const std::vector<StoredTrial>& trials,
                                      const std::vector<std::string>& taken) {
  std::set<std::string> names;
  for (const StoredTrial& trial : trials) {
    for (const auto& [name, value] : trial.metrics) names.insert(name);
  }
  for (const std::string& name : taken) names.erase(name);
  return {names.begin(), names.end()};
}

std::string csv_text(const std::vector<StoredTrial>& trials, const std::vector<std::string>& factors) {
  std::vector<std::string> taken = factors;
  taken.insert(taken.end(), {"trial", "cost", "seconds", "completed"});
  const std::vector<std::string> metrics = metric_names(trials, taken);
  std::vector<std::string> header = {"trial"};
  header.insert(header.end(), factors.begin(), factors.end());
  header.insert(header.end(), metrics.begin(), metrics.end());
  header.insert(header.end(), {"cost", "seconds", "completed"});
  std::ostringstream out;
  write_csv_row(out, header);
  for (const StoredTrial& trial : trials) {
    if (trial.state == TrialState::running) continue;
    std::vector<std::string> row = {std::to_string(trial.number)};
    row.insert(row.end(), trial.configuration.begin(), trial.configuration.end());
    for (const std::string& metric : metrics) {
      const auto found = trial.metrics.find(metric);
      row.push_back(found == trial.metrics.end() ? "" : number_text(found->second));
    }
    const bool completed = trial.state == TrialState::completed;
    row.insert(row.end(), {number_text(trial.cost), number_text(trial.seconds), completed ? "1" : "0"});
    write_csv_row(out, row);
  }
  return out.str();
}

void fill_in(AnalyzeArgs& args, const StudySpec& study, const std::vector<std::string>& factors) {
  if (args.response.empty()) args.response = study.problem.objectives.front().metric;
  if (args.factors.empty()) {
    for (const std::string& factor : factors) {
      if (std::ranges::find(args.without, factor) == args.without.end()) args.factors.push_back(factor);
    }
  }
  if (!args.censored) args.censored = "completed=0";
  for (const Objective& objective : study.problem.objectives) {
    args.maximise = args.maximise || (objective.metric == args.response && objective.maximise);
  }
}

}  // namespace

bool is_study_store(const std::string& input) {
  if (input.ends_with(".toml")) return true;
  if (input.starts_with("postgresql://") || input.starts_with("postgres://")) return true;
  std::ifstream file(input, std::ios::binary);
  std::array<char, 15> begin{};
  file.read(begin.data(), begin.size());
  return file && std::string_view(begin.data(), begin.size()) == "SQLite format 3";
}

CsvTable study_runs(AnalyzeArgs& args, const Io& io, const Globals& globals) {
  const Catalog catalog = open_catalog(io, globals);
  if (args.input.ends_with(".toml")) {  // the file itself: its store stands beside it
    args.study = read_study_file(args.input, catalog).name;
    args.input = std::filesystem::path(args.input).replace_extension(".sqlite").string();
  }
  const auto store = open_study_store(args.input, {.create = false});
  const StudyHeader header = chosen_study(args, *store);
  const StudySpec study = parse_study(header.text, header.name, catalog);
  store->open_study(header);
  std::vector<std::string> factors;
  for (const SearchFactor& factor : study.problem.space.factors()) factors.push_back(factor.name);
  fill_in(args, study, factors);
  return CsvTable::parse(csv_text(store->trials(), factors), shown_location(args.input));
}

}  // namespace sextant
