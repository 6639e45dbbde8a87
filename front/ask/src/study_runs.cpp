#include "study_runs.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>

#include "sextant/core/secrets.h"
#include "sextant/core/text.h"
#include "sextant/study/study_file.h"
#include "sextant/study/study_store.h"
#include "sextant/study/trial_table.h"

namespace sextant::ask {
namespace {

study::StudyHeader chosen_study(const AnalyzeQuestion& question, study::StudyStore& store) {
  const std::vector<study::StudyHeader> all = store.studies();
  std::vector<std::string> names;
  for (const study::StudyHeader& header : all) names.push_back(header.name);
  if (all.empty())
    throw InputError({shown_address(question.runs)}, "the store holds no study", "run sextant explore first");
  if (!question.study) {
    if (all.size() == 1) return all.front();
    throw InputError({shown_address(question.runs)}, "the store holds several studies",
                     "name one with `study`: " + join(names, ", "));
  }
  for (const study::StudyHeader& header : all) {
    if (header.name == *question.study) return header;
  }
  throw InputError(at_field("study"), "there is no study '" + *question.study + "'",
                   name_hint(*question.study, names));
}

void fill_in_study(AnalyzeQuestion& question, const study::StudySpec& study,
                   const std::vector<std::string>& factors) {
  if (question.response.empty()) question.response = study.problem.objectives.front().metric;
  if (question.factors.empty()) {
    for (const std::string& factor : factors) {
      if (std::ranges::find(question.without, factor) == question.without.end()) {
        question.factors.push_back(factor);
      }
    }
  }
  if (!question.censored) question.censored = "completed=0";
  for (const explore::Objective& objective : study.problem.objectives) {
    question.maximise = question.maximise || (objective.metric == question.response && objective.maximise);
  }
}

}  // namespace

bool is_study(const std::string& runs) {
  return runs.ends_with(".toml") || is_study_store(runs);
}

bool is_study_store(const std::string& runs) {
  if (runs.starts_with("postgresql://") || runs.starts_with("postgres://")) return true;
  std::ifstream file(runs, std::ios::binary);
  std::array<char, 15> begin{};
  file.read(begin.data(), begin.size());
  return file && std::string_view(begin.data(), begin.size()) == "SQLite format 3";
}

CsvTable study_runs(AnalyzeQuestion& question, const catalog::Catalog& catalog) {
  if (question.runs.ends_with(".toml")) {  // the file itself: its store stands beside it
    question.study = study::read_study_file(question.runs, catalog).name;
    question.runs = std::filesystem::path(question.runs).replace_extension(".sqlite").string();
  }
  const auto store = study::open_study_store(question.runs, {.create = false});
  const study::StudyHeader header = chosen_study(question, *store);
  const study::StudySpec study = study::parse_study(header.text, header.name, catalog);
  store->open_study(header);
  std::vector<std::string> factors;
  for (const explore::SearchFactor& factor : study.problem.space.factors()) factors.push_back(factor.name);
  fill_in_study(question, study, factors);
  return study::trial_table(store->trials(), factors, shown_address(question.runs));
}

}  // namespace sextant::ask
