#include "recorded_table.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "sextant/core/infinity.h"
#include "sextant/core/text.h"

namespace sextant::study {
namespace {

// One column of the table as factors or features see it: numbers, or levels.
struct TableColumn {
  std::string name;
  std::size_t index = 0;
  bool numeric = true;
  std::vector<double> numbers = {};      // by row, where it is numeric
  std::vector<std::string> levels = {};  // sorted, where it is not
};

TableColumn read_column(const CsvTable& table, const std::string& name) {
  TableColumn column{.name = name, .index = table.column(name)};
  std::set<std::string> levels;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const std::string text = table.text(row, column.index);
    if (text.empty()) throw InputError(table.where(row, column.index), "column '" + name + "' is empty here");
    const std::optional<double> number = to_number(text);
    column.numeric = column.numeric && number && std::isfinite(*number);
    if (column.numeric) column.numbers.push_back(*number);
    levels.insert(text);
  }
  if (!column.numeric) column.levels.assign(levels.begin(), levels.end());
  return column;
}

double level_of(const TableColumn& column, const std::string& text) {
  return static_cast<double>(std::ranges::lower_bound(column.levels, text) - column.levels.begin());
}

explore::SearchFactor factor_of(const TableColumn& column) {
  explore::SearchFactor factor{.name = column.name};
  if (!column.numeric) {
    factor.levels = column.levels;
    return factor;
  }
  const auto [low, high] = std::ranges::minmax(column.numbers);
  factor.low = low;
  factor.high = high;
  const bool whole = std::ranges::all_of(column.numbers, [](double x) { return x == std::floor(x); });
  factor.kind = whole ? explore::FactorKind::integer : explore::FactorKind::real;
  return factor;
}

struct Censoring {
  std::optional<std::size_t> column = {};
  std::string value = {};
};

Censoring parse_censored(const CsvTable& table, const std::string& text) {
  if (text.empty()) return {};
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) {
    throw InputError(at_field("censored"), "'" + text + "' is no COLUMN=VALUE",
                     "as in `censored` completed=0");
  }
  return {table.column(text.substr(0, equals)), text.substr(equals + 1)};
}

// Reads all columns once, then hands out groups.
class TableReader {
 public:
  TableReader(const CsvTable& table, const TableSearchRequest& request)
      : table_(table),
        group_(table.column(request.group)),
        objective_(table.column(request.objective)),
        censoring_(parse_censored(table, request.censored)),
        penalised_(request.penalised.empty() ? table.find_column(request.objective + "_penalised")
                                             : std::optional(table.column(request.penalised))) {
    if (!request.transfer_apart.empty()) apart_ = table.column(request.transfer_apart);
    if (!request.prior.empty()) prior_ = table.column(request.prior);
    if (request.config.empty()) throw InputError(at_field("config"), "no column names a configuration");
    for (const std::string& name : request.config) {
      config_.push_back(read_column(table, name));
      factors_.push_back(factor_of(config_.back()));
    }
    for (const std::string& name : request.features) add_feature(read_column(table, name));
  }

  RecordedTable read() {
    std::vector<std::string> names;
    std::map<std::string, std::vector<std::size_t>> rows;
    for (std::size_t row = 0; row < table_.rows(); ++row) {
      const std::string name = table_.text(row, group_);
      if (!rows.contains(name)) names.push_back(name);
      rows[name].push_back(row);
    }
    RecordedTable result;
    for (const std::string& name : names) {
      if (std::optional<RecordedGroup> group = read_group(name, rows[name])) {
        result.groups.push_back(std::move(*group));
      } else {
        result.skipped.push_back(name);
      }
    }
    return result;
  }

 private:
  void add_feature(TableColumn column) {
    if (column.numeric) {
      const bool positive = std::ranges::all_of(column.numbers, [](double x) { return x > 0; });
      columns_.push_back({.name = column.name, .positive = positive});
    } else {
      for (const std::string& level : column.levels) {
        columns_.push_back({.name = column.name + "=" + level, .numeric = false, .positive = false});
      }
    }
    features_.push_back(std::move(column));
  }

  [[nodiscard]] explore::Configuration configuration_of(std::size_t row) const {
    explore::Configuration configuration;
    for (const TableColumn& column : config_) {
      configuration.values.push_back(column.numeric ? column.numbers[row]
                                                    : level_of(column, table_.text(row, column.index)));
    }
    return configuration;
  }

  [[nodiscard]] std::vector<double> features_of(std::size_t row) const {
    std::vector<double> values;
    for (const TableColumn& column : features_) {
      if (column.numeric) {
        values.push_back(column.numbers[row]);
        continue;
      }
      for (const std::string& level : column.levels) {
        values.push_back(level == table_.text(row, column.index) ? 1 : 0);
      }
    }
    return values;
  }

  // Cost of a completed run; nothing for one that was censored or has no value.
  [[nodiscard]] std::optional<double> cost_of(std::size_t row) const {
    if (censoring_.column && table_.text(row, *censoring_.column) == censoring_.value) return std::nullopt;
    const std::optional<double> cost = table_.maybe_number(row, objective_);
    if (cost && !(*cost > 0)) {
      throw InputError(table_.where(row, objective_), "the objective is not positive here",
                       "results are ratios to the best run");
    }
    return cost;
  }

  [[nodiscard]] std::optional<double> penalty_of(std::size_t row) const {
    return penalised_ ? table_.maybe_number(row, *penalised_) : std::nullopt;
  }

  [[nodiscard]] std::optional<double> prior_of(std::size_t row) const {
    const std::optional<double> prior = prior_ ? table_.maybe_number(row, *prior_) : std::nullopt;
    if (prior && !(*prior > 0)) {
      throw InputError(table_.where(row, *prior_), "the prediction is not positive here");
    }
    return prior;
  }

  [[nodiscard]] RecordedRun read_run(const std::vector<std::size_t>& rows) const {
    RecordedRun run{.configuration = configuration_of(rows.front())};
    double sum = 0;
    std::size_t completed = 0;
    double penalty = kNan;
    for (const std::size_t row : rows) {
      if (features_of(row) != features_of(rows.front())) {
        throw InputError(table_.where(row, config_.front().index),
                         "features differ from those of the same configuration in another row",
                         "a feature belongs to a configuration; name what else differs in `config`");
      }
      if (const std::optional<double> cost = cost_of(row)) {
        sum += *cost;
        ++completed;
      }
      if (const std::optional<double> each = penalty_of(row)) penalty = std::fmax(penalty, *each);
    }
    run.completed = completed > 0;
    if (run.completed) run.cost = sum / static_cast<double>(completed);
    run.penalty = penalty;
    run.prior = prior_of(rows.front());
    return run;
  }

  [[nodiscard]] std::optional<RecordedGroup> read_group(const std::string& name,
                                                        const std::vector<std::size_t>& rows) const {
    std::map<std::vector<double>, std::vector<std::size_t>> by_configuration;
    for (const std::size_t row : rows) by_configuration[configuration_of(row).values].push_back(row);
    std::vector<RecordedRun> runs;
    std::vector<explore::Configuration> configurations;
    std::vector<std::vector<double>> features;
    double dearest = 0;
    double optimum = std::numeric_limits<double>::infinity();
    for (const auto& [key, same] : by_configuration) {
      runs.push_back(read_run(same));
      configurations.push_back(runs.back().configuration);
      features.push_back(features_of(same.front()));
      if (!runs.back().completed) continue;
      dearest = std::max(dearest, runs.back().cost);
      optimum = std::min(optimum, runs.back().cost);
    }
    if (dearest == 0) return std::nullopt;
    for (RecordedRun& run : runs) {
      if (run.completed) run.penalty = run.cost;
      if (!(run.penalty > 0)) run.penalty = dearest;
    }
    stats::Matrix values(features.size(), columns_.size());
    for (std::size_t i = 0; i < features.size(); ++i) {
      for (std::size_t c = 0; c < columns_.size(); ++c) values(i, c) = features[i][c];
    }
    return RecordedGroup{
        name, apart_ ? table_.text(rows.front(), *apart_) : "",
        explore::SearchSpace::of_list(factors_, std::move(configurations), columns_, std::move(values)),
        std::move(runs), optimum};
  }

  const CsvTable& table_;
  std::size_t group_;
  std::size_t objective_;
  Censoring censoring_;
  std::optional<std::size_t> penalised_;
  std::optional<std::size_t> apart_ = {};
  std::optional<std::size_t> prior_ = {};
  std::vector<TableColumn> config_;
  std::vector<explore::SearchFactor> factors_;
  std::vector<TableColumn> features_;
  std::vector<explore::FeatureColumn> columns_;
};

}  // namespace

RecordedTable read_recorded_table(const CsvTable& table, const TableSearchRequest& request) {
  if (table.rows() == 0) throw InputError({table.file_name()}, "the table has no rows");
  return TableReader(table, request).read();
}

}  // namespace sextant::study
