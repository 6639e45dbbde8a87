// Evaluator table: runs that somebody recorded, played back. Factors are columns; the other columns of
// numbers are metrics, means where a configuration was run more than once.
#include <algorithm>
#include <cmath>

#include "evaluator_settings.h"
#include "sextant/core/csv.h"
#include "sextant/core/text.h"
#include "sextant/study/evaluator.h"

namespace sextant::study::evaluator_table {
namespace {

// "case=join-spark": a column and the value that its rows have.
struct ColumnIs {
  std::size_t column = 0;
  std::string value;
};

ColumnIs column_is(const CsvTable& table, const std::string& text, const SourcePos& at) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos) throw InputError(at, "'" + text + "' is no COLUMN=VALUE");
  const std::string name(trim(std::string_view(text).substr(0, equals)));
  const auto column = table.find_column(name);
  if (!column)
    throw InputError(at, "the table has no column '" + name + "'", name_hint(name, table.header()));
  return {*column, std::string(trim(std::string_view(text).substr(equals + 1)))};
}

// Numbers are compared as numbers: "4" is "4.0".
bool same_text(const std::string& a, const std::string& b) {
  if (a == b) return true;
  const auto left = to_number(a);
  return left && left == to_number(b);
}

class TableEvaluator final : public Evaluator {
 public:
  explicit TableEvaluator(const EvaluatorSetup& setup)
      : study_(setup.study), settings_(setup.study.evaluator), table_(read(settings_)) {
    for (const std::string& part : split(settings_.maybe_text("where").value_or(""), ',')) {
      if (!part.empty()) filters_.push_back(column_is(table_, part, settings_.where("where")));
    }
    if (const auto censored = settings_.maybe_text("censored")) {
      censored_ = column_is(table_, *censored, settings_.where("censored"));
    }
    settings_.finish();
    for (const explore::SearchFactor& factor : study_.problem.space.factors()) {
      factors_.push_back(need(factor.name, "factor"));
    }
    for (const explore::Objective& objective : study_.problem.objectives) check_metric(objective.metric);
    for (const explore::MetricLimit& limit : study_.problem.limits) check_metric(limit.metric);
    for (std::size_t row = 0; row < table_.rows(); ++row) {
      if (std::ranges::all_of(filters_, [&](const ColumnIs& is) { return has(row, is); }))
        rows_.push_back(row);
    }
    if (rows_.empty()) throw InputError(settings_.where("where"), "no row of the table matches");
  }

  // Of a configuration that sometimes completed, the runs that did count.
  explore::TrialOutcome run(const explore::Trial& trial) override {
    std::vector<std::size_t> completed;
    std::vector<std::size_t> stopped;
    for (const std::size_t row : rows_) {
      if (!matches(row, trial.configuration)) continue;
      (censored_ && has(row, *censored_) ? stopped : completed).push_back(row);
    }
    if (completed.empty() && stopped.empty()) {
      return {.state = explore::TrialState::failed, .message = "the table has no such run"};
    }
    if (completed.empty()) return stopped_run(stopped.front());
    explore::TrialOutcome result{.state = explore::TrialState::completed};
    for (std::size_t column = 0; column < table_.header().size(); ++column) {
      if (const auto mean = mean_of(completed, column)) result.metrics[table_.header()[column]] = *mean;
    }
    return checked(std::move(result));
  }

 private:
  static CsvTable read(EvaluatorSettings& settings) {
    return CsvTable::read_file(settings.path(settings.text("file")));
  }

  [[nodiscard]] std::size_t need(const std::string& name, const std::string& what) const {
    if (const auto column = table_.find_column(name)) return *column;
    throw InputError(study_.evaluator.at, "the table has no column for " + what + " '" + name + "'",
                     name_hint(name, table_.header()));
  }
  void check_metric(const std::string& metric) const {
    if (metric != "cost_usd" || !study_.cost) (void)need(metric, "metric");
  }

  [[nodiscard]] bool has(std::size_t row, const ColumnIs& is) const {
    return same_text(table_.text(row, is.column), is.value);
  }

  [[nodiscard]] bool matches(std::size_t row, const explore::Configuration& configuration) const {
    for (std::size_t i = 0; i < factors_.size(); ++i) {
      const std::string text = study_.problem.space.text(configuration, i);
      if (!same_text(table_.text(row, factors_[i]), text)) return false;
    }
    return true;
  }

  [[nodiscard]] std::optional<double> number(std::size_t row, std::size_t column) const {
    const auto value = to_number(table_.text(row, column));
    return value && std::isfinite(*value) ? value : std::nullopt;
  }

  [[nodiscard]] std::optional<double> mean_of(const std::vector<std::size_t>& rows,
                                              std::size_t column) const {
    double sum = 0;
    for (const std::size_t row : rows) {
      const auto value = number(row, column);
      if (!value) return {};
      sum += *value;
    }
    return sum / static_cast<double>(rows.size());
  }

  // With what it had come to until then, where the table says so.
  [[nodiscard]] explore::TrialOutcome stopped_run(std::size_t row) const {
    explore::TrialOutcome result{.state = explore::TrialState::timed_out,
                                 .message = "the recorded run did not complete"};
    const auto column = table_.find_column(study_.problem.objectives.front().metric);
    if (column) result.bound = number(row, *column);
    return result;
  }

  [[nodiscard]] explore::TrialOutcome checked(explore::TrialOutcome result) const {
    for (const explore::Objective& objective : study_.problem.objectives) {
      if (result.metrics.contains(objective.metric) || (objective.metric == "cost_usd" && study_.cost))
        continue;
      return {.state = explore::TrialState::failed,
              .message = "the table has no number for '" + objective.metric + "' of this run"};
    }
    return result;
  }

  const StudySpec& study_;
  EvaluatorSettings settings_;
  CsvTable table_;
  std::vector<ColumnIs> filters_;
  std::optional<ColumnIs> censored_;
  std::vector<std::size_t> factors_;  // columns
  std::vector<std::size_t> rows_;
};

}  // namespace

std::vector<EvaluatorInfo> plugin() {
  return {{{.id = "table",
            .summary = "recorded runs, played back",
            .reference = "settings: file, where (COLUMN=VALUE,…), censored (COLUMN=VALUE)"},
           {"csv"},
           [](const EvaluatorSetup& setup) -> std::unique_ptr<Evaluator> {
             return std::make_unique<TableEvaluator>(setup);
           }}};
}

}  // namespace sextant::study::evaluator_table
