// A study as its user writes it, in TOML: the space, objectives and limits, the budget, what evaluates a
// configuration, and the strategy or design. Page: docs/exploring.md.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sextant/catalog/catalog.h"
#include "sextant/explore/problem.h"

namespace sextant {

// What may be spent; the first that runs out ends the study.
struct SearchBudget {
  std::optional<std::int64_t> trials = {};
  std::optional<double> cost_usd = {};
  std::optional<double> seconds = {};
};

// `kind` is a file of study/evaluators; `settings` are its keys as texts, checked by it.
struct EvaluatorSpec {
  std::string kind;
  std::map<std::string, std::string> settings = {};
  std::string folder;  // of the study file: relative paths start here
  SourcePos at = {};
};

struct StudySpec {
  std::string name;
  SearchProblem problem;
  SearchBudget budget;
  EvaluatorSpec evaluator;
  std::string strategy = "sextant";        // with parameters
  std::optional<std::string> design = {};  // runs first, before the strategy
  std::optional<std::string> prior = {};   // arguments of `predict` with {factor} in them
  std::vector<std::string> past = {};      // earlier studies to learn from
  std::optional<std::string> cost =
      {};  // dollars of a trial: an expression over factors, features and metrics
  std::int64_t parallel = 1;
  std::uint64_t seed = 0;
  std::string text;  // of the file: kept with the study, compared when it goes on
};

StudySpec parse_study(const std::string& text, const std::string& file_name, const Catalog& catalog);
StudySpec read_study_file(const std::string& path, const Catalog& catalog);

}  // namespace sextant
