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

namespace sextant::study {

// What may be spent; the first that runs out ends the study.
struct SearchBudget {
  std::optional<std::int64_t> trials = {};
  std::optional<double> cost_usd = {};
  std::optional<double> seconds = {};  // in which some trial ran
};

// `kind` is a file of decide/study/evaluators, or empty: trials are run outside (ask and tell). `settings`
// are its keys as texts, those of sections with a dot ("pattern.loss"), checked by it.
struct EvaluatorSpec {
  std::string kind;
  std::map<std::string, std::string> settings = {};
  std::map<std::string, SourcePos> places = {};  // of the settings
  std::string folder;                            // of the study file: relative paths start here
  SourcePos at = {};
};

struct StudySpec {
  std::string name;
  explore::SearchProblem problem;
  SearchBudget budget = {};
  EvaluatorSpec evaluator = {};
  std::string strategy = "sextant";        // with parameters; "none": the design is all
  std::optional<std::string> design = {};  // runs first, before the strategy
  std::int64_t design_runs = 0;            // 0: the design's own number
  std::int64_t replicates = 1;             // of the design's runs
  bool stop = true;                        // when the strategy says that no run pays
  std::optional<std::string> prior = {};   // arguments of `predict` with {factor} in them
  std::vector<std::string> past = {};      // earlier studies to learn from
  // Dollars of a trial: an expression over factors, features, metrics, and `seconds` that it took.
  std::optional<explore::Expression> cost = {};
  std::int64_t parallel = 1;
  std::optional<double> timeout_s = {};  // of a trial
  std::int64_t retries = 0;              // of a trial that failed
  std::int64_t give_up = 10;             // after so many failures while nothing ever completed; 0: never
  std::uint64_t seed = 0;
  std::string text = {};  // of the file
};

// InputError with position and hint.
StudySpec parse_study(const std::string& text, const std::string& file_name, const catalog::Catalog& catalog);
StudySpec read_study_file(const std::string& path, const catalog::Catalog& catalog);

// What a study that goes on must have in common with how it began, a line each: factors, objectives,
// evaluator. Budget, strategy, constraints and the rest may change.
std::string study_identity(const StudySpec& study);

}  // namespace sextant::study
