#include "sextant/study/study_file.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "sextant/core/csv.h"
#include "sextant/core/text.h"
#include "sextant/core/toml.h"
#include "sextant/core/unit_text.h"
#include "sextant/core/visible_text.h"
#include "sextant/explore/design.h"
#include "sextant/explore/search_strategy.h"
#include "sextant/explore/space_toml.h"
#include "sextant/study/evaluator.h"
#include "sextant/study/machine_lookup.h"

namespace sextant::study {
namespace {

constexpr std::int64_t kMostWorkers = 1024;
constexpr std::int64_t kMostTrials = 1'000'000;

std::int64_t bounded(TomlSection& section, const std::string& key, std::int64_t low, std::int64_t high) {
  const std::int64_t value = section.integer(key);
  if (value >= low && value <= high) return value;
  throw InputError(section.where(key),
                   "'" + key + "' must be from " + std::to_string(low) + " to " + std::to_string(high));
}

double seconds_of(TomlSection& section, const std::string& key) {
  const double value = parse_seconds(section.text(key), section.where(key)).value;
  if (value > 0) return value;
  throw InputError(section.where(key), "'" + key + "' must be above 0");
}

void check_metric(const std::string& metric, const SourcePos& at) {
  if (metric.empty()) throw InputError(at, "a metric has no name");
}

explore::Objective objective_of(TomlSection& section) {
  explore::Objective objective;
  objective.metric = section.text("metric");
  check_metric(objective.metric, section.where("metric"));
  const std::string goal = section.maybe_text("goal").value_or("minimise");
  objective.maximise = goal == "maximise" || goal == "maximize";
  if (!objective.maximise && goal != "minimise" && goal != "minimize") {
    throw InputError(section.where("goal"), "'" + goal + "' is no goal", "minimise or maximise");
  }
  section.finish();
  return objective;
}

std::vector<explore::Objective> read_objectives(TomlSection& root) {
  std::vector<explore::Objective> objectives;
  for (TomlSection& section : root.sections("objective")) {
    objectives.push_back(objective_of(section));
    for (std::size_t i = 0; i + 1 < objectives.size(); ++i) {
      if (objectives[i].metric == objectives.back().metric) {
        throw InputError(section.where("metric"),
                         "two objectives have the metric '" + objectives[i].metric + "'");
      }
    }
  }
  if (objectives.empty()) {
    throw InputError(root.where(), "there is no objective", "add a table [[objective]] with metric and goal");
  }
  return objectives;
}

explore::MetricLimit limit_of(const std::string& text, const SourcePos& at) {
  const std::size_t less = text.find("<=");
  const std::size_t sign = less != std::string::npos ? less : text.find(">=");
  const auto value =
      sign == std::string::npos ? std::nullopt : to_number(trim(std::string_view(text).substr(sign + 2)));
  explore::MetricLimit limit;
  if (value) limit.metric = std::string(trim(std::string_view(text).substr(0, sign)));
  if (limit.metric.empty() || !std::isfinite(*value)) {
    throw InputError(at, "'" + text + "' is no limit of a metric", "as in \"runtime_s <= 3600\"");
  }
  limit.at_most = less != std::string::npos;
  limit.limit = *value;
  return limit;
}

SearchBudget read_budget(TomlSection& root) {
  SearchBudget budget;
  if (!root.has("budget")) return budget;
  TomlSection section = root.section("budget");
  if (section.has("trials")) budget.trials = bounded(section, "trials", 1, kMostTrials);
  if (section.has("time")) budget.seconds = seconds_of(section, "time");
  budget.cost_usd = section.maybe_number("cost_usd");
  if (budget.cost_usd && *budget.cost_usd <= 0) {
    throw InputError(section.where("cost_usd"), "'cost_usd' must be above 0");
  }
  section.finish();
  return budget;
}

// Scalars as they are; sections one level deep.
void add_setting(TomlSection& section, const std::string& key, const std::string& prefix,
                 EvaluatorSpec& spec) {
  spec.settings[prefix + key] = section.scalar(key);
  spec.places[prefix + key] = section.where(key);
}

EvaluatorSpec read_evaluator(TomlSection& root, const std::string& file_name) {
  EvaluatorSpec spec;
  spec.folder = std::filesystem::path(file_name).parent_path().string();
  if (spec.folder.empty()) spec.folder = ".";
  if (!root.has("evaluator")) return spec;
  TomlSection section = root.section("evaluator");
  spec.at = section.where();
  const bool command = section.has("run");
  spec.kind = command ? section.maybe_text("kind").value_or("command") : section.text("kind");
  spec.kind = evaluators().get(spec.kind, section.has("kind") ? section.where("kind") : spec.at).id;
  for (const std::string& key : section.keys()) {
    if (key == "kind") continue;
    if (!section.is_section(key)) {
      add_setting(section, key, "", spec);
      continue;
    }
    TomlSection inner = section.section(key);
    for (const std::string& name : inner.keys()) add_setting(inner, name, key + ".", spec);
  }
  return spec;
}

void read_search(TomlSection& root, StudySpec& study) {
  if (const auto strategy = root.maybe_text("strategy")) study.strategy = *strategy;
  if (study.strategy != "none") (void)explore::make_search_strategy(study.strategy, root.where("strategy"));
  study.design = root.maybe_text("design");
  if (study.design) {
    (void)explore::designs().get(split(*study.design, ':').at(0), root.where("design"));
  }
  if (root.has("design_runs")) study.design_runs = bounded(root, "design_runs", 1, kMostTrials);
  if (root.has("replicates")) study.replicates = bounded(root, "replicates", 1, kMostTrials);
  if (!study.design && (root.has("design_runs") || root.has("replicates"))) {
    throw InputError(root.where(root.has("replicates") ? "replicates" : "design_runs"),
                     "there is no design to run", "name one: design = \"latin-hypercube\"");
  }
  if (study.strategy == "none" && !study.design) {
    throw InputError(root.where("strategy"), "without a strategy there must be a design");
  }
  study.stop = root.maybe_boolean("stop").value_or(true);
  study.prior = root.maybe_text("prior");
  study.past = root.maybe_texts("past");
  study.seed =
      root.has("seed")
          ? static_cast<std::uint64_t>(bounded(root, "seed", 0, std::numeric_limits<std::int64_t>::max()))
          : 0;
}

void read_running(TomlSection& root, StudySpec& study) {
  if (root.has("parallel")) study.parallel = bounded(root, "parallel", 1, kMostWorkers);
  if (root.has("timeout")) study.timeout_s = seconds_of(root, "timeout");
  if (root.has("retries")) study.retries = bounded(root, "retries", 0, 100);
  if (root.has("give_up")) study.give_up = bounded(root, "give_up", 0, kMostTrials);
  if (const auto cost = root.maybe_text("cost"))
    study.cost = explore::Expression::parse(*cost, root.where("cost"));
  if (study.budget.cost_usd && !study.cost) {
    throw InputError(root.where("budget"), "a budget in dollars needs to know what a trial costs",
                     "cost = \"usd_per_h * seconds / 3600\"");
  }
  const SearchBudget& budget = study.budget;
  if (!budget.trials && !budget.cost_usd && !budget.seconds && study.strategy != "none") {
    throw InputError(root.where(), "there is no budget: when should the study end?",
                     "add a table [budget] with trials, cost_usd or time");
  }
}

std::string name_of(TomlSection& root, const std::string& file_name) {
  std::string name = root.maybe_text("name").value_or(std::filesystem::path(file_name).stem().string());
  const auto control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; };
  const bool path = name == "." || name == ".." || name.find('/') != std::string::npos;
  if (name.empty() || path || std::ranges::any_of(name, control)) {
    throw InputError(root.where("name"), "'" + visible(name) + "' is no name for a study",
                     "the files of its trials go to a folder of this name: use neither '/' nor '.' alone");
  }
  return name;
}

std::string factor_line(const explore::SearchFactor& factor) {
  std::string line = "factor " + factor.name + ": ";
  if (factor.kind == explore::FactorKind::ordinal || factor.kind == explore::FactorKind::categorical) {
    line += join(factor.levels, ", ");
  } else {
    line += number_text(factor.low) + " to " + number_text(factor.high);
    if (factor.kind == explore::FactorKind::real) line += ", real";
    if (factor.step != 1) line += ", step " + number_text(factor.step);
  }
  return factor.condition ? line + ", when " + factor.condition->text() : line;
}

}  // namespace

StudySpec parse_study(const std::string& text, const std::string& file_name,
                      const catalog::Catalog& catalog) {
  TomlSection root = parse_toml(text, file_name);
  StudySpec study{
      .name = name_of(root, file_name),
      .problem = {.space = read_space(root, catalog_machines(catalog)), .objectives = read_objectives(root)}};
  for (const std::string& limit : root.maybe_texts("limits")) {
    study.problem.limits.push_back(limit_of(limit, root.where("limits")));
  }
  study.budget = read_budget(root);
  study.evaluator = read_evaluator(root, file_name);
  read_search(root, study);
  read_running(root, study);
  root.finish();
  study.text = text;
  return study;
}

StudySpec read_study_file(const std::string& path, const catalog::Catalog& catalog) {
  return parse_study(read_text_file(path), path, catalog);
}

std::string study_identity(const StudySpec& study) {
  std::string text;
  for (const explore::SearchFactor& factor : study.problem.space.factors())
    text += factor_line(factor) + "\n";
  for (const explore::Objective& objective : study.problem.objectives) {
    text += std::string(objective.maximise ? "maximise " : "minimise ") + objective.metric + "\n";
  }
  if (!study.evaluator.kind.empty()) text += "evaluator " + study.evaluator.kind + "\n";
  for (const auto& [key, value] : study.evaluator.settings) text += key + " = " + value + "\n";
  return text;
}

}  // namespace sextant::study
