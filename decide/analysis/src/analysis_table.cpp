#include "sextant/analysis/analysis_table.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "factor_choice.h"
#include "sextant/core/error.h"
#include "sextant/core/text.h"
#include "sextant/stats/summary.h"

namespace sextant::analysis {
namespace {

constexpr double kLargest = 1e150;  // as in core/stats
constexpr std::size_t kLeastRows = 3;

// Levels in order, and the place of each text among them.
void set_levels(AnalysisFactor& factor, const std::vector<std::string>& texts) {
  std::set<std::string> distinct(texts.begin(), texts.end());
  factor.levels.assign(distinct.begin(), distinct.end());
  factor.numeric = std::ranges::all_of(factor.levels, [](const std::string& text) {
    const auto number = to_number(trim(text));
    return number && std::isfinite(*number) && std::abs(*number) <= kLargest;
  });
  if (factor.numeric) {
    std::ranges::stable_sort(factor.levels, {},
                             [](const std::string& text) { return *to_number(trim(text)); });
    // "8" and "8.0" are one level.
    const auto same = [](const std::string& a, const std::string& b) {
      return *to_number(trim(a)) == *to_number(trim(b));
    };
    factor.levels.erase(std::unique(factor.levels.begin(), factor.levels.end(), same), factor.levels.end());
  }
  std::map<std::string, std::size_t> place;
  std::map<double, std::size_t> place_of_number;
  for (std::size_t i = 0; i < factor.levels.size(); ++i) {
    place[factor.levels[i]] = i;
    if (factor.numeric) place_of_number[*to_number(trim(factor.levels[i]))] = i;
  }
  for (const std::string& text : texts) {
    if (factor.numeric) {
      factor.number.push_back(*to_number(trim(text)));
      factor.level.push_back(place_of_number.at(factor.number.back()));
    } else {
      factor.level.push_back(place.at(text));
    }
  }
}

bool is_covariate(const AnalysisFactor& factor, std::size_t rows) {
  return factor.numeric && (factor.levels.size() > kMostLevelsOfNumbers || 2 * factor.levels.size() > rows) &&
         factor.levels.size() > 2;
}

AnalysisFactor factor_of(const CsvTable& table, std::size_t column, std::span<const std::size_t> rows) {
  AnalysisFactor factor{.name = table.header()[column], .levels = {}, .level = {}};
  std::vector<std::string> texts;
  texts.reserve(rows.size());
  for (const std::size_t row : rows) {
    texts.push_back(table.empty(row, column) ? "(empty)" : table.text(row, column));
  }
  set_levels(factor, texts);
  factor.covariate = is_covariate(factor, rows.size());
  return factor;
}

struct CensorRule {
  std::size_t column = 0;
  std::string value;
};

std::optional<CensorRule> censor_rule(const CsvTable& table, const std::string& text) {
  if (text.empty()) return std::nullopt;
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) {
    throw InputError(at_field("censored"), "'" + text + "' is not COLUMN=VALUE", "as in completed=0");
  }
  return CensorRule{table.column(text.substr(0, equals)), text.substr(equals + 1)};
}

// Positions are found by counting lines, so only where there is something to say.
double response_of(const CsvTable& table, std::size_t row, std::size_t column,
                   const AnalysisRequest& request) {
  if (table.empty(row, column)) {
    throw InputError(table.where(row, column),
                     "this row has no value of the response '" + request.response + "'",
                     "mark rows that did not complete, as in `censored` completed=0");
  }
  const double value = table.number(row, column);
  if (std::abs(value) > kLargest) {
    throw InputError(table.where(row, column), "the response is above 1e150", "choose another unit");
  }
  if (!request.log) return value;
  if (!(value > 0)) {
    throw InputError(table.where(row, column), "the response is not positive, so it has no logarithm",
                     "leave out `log`");
  }
  return std::log(value);
}

// Columns to be factors, those asked for or all that are left.
std::vector<std::size_t> wanted_columns(const CsvTable& table, const AnalysisRequest& request,
                                        const std::optional<CensorRule>& rule, std::size_t response) {
  std::vector<std::size_t> columns;
  const auto add = [&](std::size_t column) {
    if (std::ranges::find(columns, column) == columns.end()) columns.push_back(column);
  };
  std::set<std::size_t> out;
  for (const std::string& name : request.left_out) out.insert(table.column(name));
  for (const std::string& name : request.factors) {
    const std::size_t column = table.column(name);
    if (column == response)
      throw InputError(at_field("factors"), "'" + name + "' is the response", "name another column");
    add(column);
  }
  if (request.factors.empty()) {
    for (std::size_t column = 0; column < table.header().size(); ++column) {
      if (column != response && !(rule && rule->column == column) && !out.contains(column)) add(column);
    }
  }
  if (!request.group.empty()) {
    const std::size_t group = table.column(request.group);
    if (group == response)
      throw InputError(at_field("group"), "this column is the response", "name another column");
    add(group);
  }
  return columns;
}

// Why a column cannot be a factor, or nothing.
std::string fault_of(const AnalysisFactor& factor, const AnalysisTable& table, bool asked) {
  if (factor.levels.size() < 2) return "it never changes";
  if (asked) return "";
  if (!factor.numeric && 2 * factor.levels.size() > table.rows())
    return "nearly every row has a text of its own";
  const std::string others = analysis::determined_by(factor, table.factors);
  return others.empty()
             ? ""
             : others + " determine" + (others.find(" and ") == std::string::npos ? "s it" : " it");
}

// Columns that look measured are factors only where there are no others.
void take_or_leave(AnalysisTable& table, std::vector<AnalysisFactor> measured) {
  const bool take = table.factors.empty() || (table.group && table.factors.size() == 1);
  for (AnalysisFactor& factor : measured) {
    if (take) {
      table.factors.push_back(std::move(factor));
    } else {
      table.notes.push_back(
          factor.name + " is left out: its numbers hardly repeat, so it looks measured; `factors` takes it");
    }
  }
}

void check_response(const AnalysisTable& table, const CsvTable& source, std::size_t column) {
  std::vector<double> values;
  for (std::size_t i = 0; i < table.rows(); ++i) {
    if (!table.censored[i]) values.push_back(table.y[i]);
  }
  if (values.size() < kLeastRows) {
    throw InputError(source.where_header(column),
                     "the table has only " + std::to_string(values.size()) + " complete row(s)",
                     "an analysis needs at least 3");
  }
  if (stats::variance(values) == 0) {
    throw InputError(source.where_header(column), "the response '" + table.response + "' never changes",
                     "there is nothing to explain");
  }
}

}  // namespace

AnalysisTable analysis_table(const CsvTable& source, const AnalysisRequest& request) {
  const std::size_t response = source.column(request.response);
  const std::optional<CensorRule> rule = censor_rule(source, request.censored);
  if (source.rows() == 0)
    throw InputError({source.file_name()}, "the table has a header and no rows", "nothing to analyse");
  AnalysisTable table{.response = request.log ? "log(" + request.response + ")" : request.response,
                      .maximise = request.maximise,
                      .log = request.log,
                      .y = {},
                      .censored = {},
                      .factors = {}};
  std::vector<std::size_t> rows(source.rows());
  for (std::size_t row = 0; row < source.rows(); ++row) {
    rows[row] = row;
    const bool censored = rule && source.text(row, rule->column) == rule->value;
    table.censored.push_back(censored);
    table.y.push_back(censored ? 0 : response_of(source, row, response, request));
  }
  check_response(table, source, response);
  std::vector<AnalysisFactor> measured;  // what looks like it; kept for when nothing else is left
  for (const std::size_t column : wanted_columns(source, request, rule, response)) {
    AnalysisFactor factor = factor_of(source, column, rows);
    const bool is_group = factor.name == request.group;
    const bool asked = is_group || std::ranges::find(request.factors, factor.name) != request.factors.end();
    if (is_group) factor.covariate = false;
    if (const std::string fault = fault_of(factor, table, asked); !fault.empty()) {
      table.notes.push_back(factor.name + " is left out: " + fault);
      continue;
    }
    if (!asked && analysis::looks_measured(factor)) {
      measured.push_back(std::move(factor));
      continue;
    }
    if (is_group) table.group = table.factors.size();
    table.factors.push_back(std::move(factor));
  }
  take_or_leave(table, std::move(measured));
  if (!table.factors.empty()) return table;
  throw InputError({source.file_name()}, "no column can be a factor",
                   table.notes.empty() ? "name some with `factors`" : join(table.notes, "; "));
}

AnalysisTable select_rows(const AnalysisTable& table, std::span<const std::size_t> rows) {
  AnalysisTable out{.response = table.response,
                    .maximise = table.maximise,
                    .log = table.log,
                    .y = {},
                    .censored = {},
                    .factors = {},
                    .notes = table.notes};
  for (const std::size_t row : rows) {
    out.y.push_back(table.y[row]);
    out.censored.push_back(table.censored[row]);
  }
  for (std::size_t f = 0; f < table.factors.size(); ++f) {
    const AnalysisFactor& from = table.factors[f];
    AnalysisFactor factor{.name = from.name, .levels = {}, .level = {}};
    std::vector<std::string> texts;
    for (const std::size_t row : rows) texts.push_back(from.levels[from.level[row]]);
    set_levels(factor, texts);
    factor.covariate = from.covariate;
    if (factor.levels.size() < 2) {
      out.notes.push_back(factor.name + " is left out: it never changes in these rows");
      continue;
    }
    if (table.group == f) out.group = out.factors.size();
    out.factors.push_back(std::move(factor));
  }
  return out;
}

AnalysisTable completed_rows(const AnalysisTable& table) {
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < table.rows(); ++i) {
    if (!table.censored[i]) rows.push_back(i);
  }
  return rows.size() == table.rows() ? table : select_rows(table, rows);
}

std::vector<std::vector<double>> responses_by_level(const AnalysisTable& table, std::size_t factor) {
  std::vector<std::vector<double>> groups(table.factors[factor].levels.size());
  for (std::size_t i = 0; i < table.rows(); ++i) {
    if (!table.censored[i]) groups[table.factors[factor].level[i]].push_back(table.y[i]);
  }
  return groups;
}

std::size_t find_factor(const AnalysisTable& table, const std::string& name) {
  std::vector<std::string> names;
  for (std::size_t f = 0; f < table.factors.size(); ++f) {
    if (table.factors[f].name == name) return f;
    names.push_back(table.factors[f].name);
  }
  throw InputError({}, "there is no factor '" + name + "'", name_hint(name, names));
}

}  // namespace sextant::analysis
