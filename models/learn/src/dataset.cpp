#include "sextant/learn/dataset.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "sextant/core/text.h"

namespace sextant::learn {
namespace {

// A text with more values than this says who a row is, not what it is like.
constexpr std::size_t kMostValues = 64;

bool is_number(const std::string& text) {
  const auto value = to_number(trim(text));
  return value && std::isfinite(*value);
}

// Numbers, unless most cells are words: then a single slip in a column of numbers is an error at that
// cell, and not a column of categories.
bool mostly_numbers(const DataTables& tables, std::size_t column) {
  std::size_t numbers = 0;
  for (std::size_t i = 0; i < tables.rows(); ++i) numbers += is_number(tables.text(i, column)) ? 1 : 0;
  return 2 * numbers >= tables.rows();
}

Feature text_feature(const DataTables& tables, std::size_t column) {
  std::set<std::string> values;
  for (std::size_t i = 0; i < tables.rows(); ++i) {
    std::string text = tables.text(i, column);
    if (trim(text).empty()) {
      const auto at = tables.place(i);
      throw InputError(at.table.where(at.row, column), "the cell is empty",
                       "fill it, or leave column '" + tables.header()[column] + "' out of `features`");
    }
    values.insert(std::move(text));
  }
  return {tables.header()[column], {values.begin(), values.end()}};
}

std::vector<std::size_t> wanted_columns(const DataTables& tables, const DatasetRequest& request) {
  std::vector<std::size_t> columns;
  if (request.features != std::vector<std::string>{"all"}) {
    for (const auto& name : request.features) {
      if (name == request.response) {
        throw InputError(at_field("features"), "'" + name + "' is the response and cannot predict itself");
      }
      const std::size_t column = tables.column(name);
      if (std::ranges::find(columns, column) == columns.end()) columns.push_back(column);
    }
    return columns;
  }
  for (std::size_t c = 0; c < tables.header().size(); ++c) {
    const std::string& name = tables.header()[c];
    const bool excluded = std::ranges::find(request.left_out, name) != request.left_out.end();
    if (name == request.response || (excluded && !mostly_numbers(tables, c))) continue;
    columns.push_back(c);
  }
  return columns;
}

bool constant_column(const DataTables& tables, std::size_t column) {
  for (std::size_t i = 1; i < tables.rows(); ++i) {
    if (tables.number(i, column) != tables.number(0, column)) return false;
  }
  return true;
}

void add_feature(const DataTables& tables, std::size_t column, Dataset& out) {
  const std::string& name = tables.header()[column];
  if (mostly_numbers(tables, column)) {
    if (constant_column(tables, column)) {
      out.dropped.push_back(name + ": constant");
    } else {
      out.features.push_back({name, {}});
    }
    return;
  }
  Feature feature = text_feature(tables, column);
  if (feature.values.size() == 1) {
    out.dropped.push_back(name + ": constant");
  } else if (feature.values.size() > std::min(kMostValues, tables.rows() / 2)) {
    out.dropped.push_back(name + ": " + std::to_string(feature.values.size()) + " different texts in " +
                          std::to_string(tables.rows()) + " rows");
  } else {
    out.features.push_back(std::move(feature));
  }
}

}  // namespace

DataTables::DataTables(std::vector<CsvTable> tables) : tables_(std::move(tables)) {
  if (tables_.empty()) throw InputError(at_field("data"), "no file is given");
  for (const auto& table : tables_) {
    if (table.header() != tables_.front().header()) {
      throw InputError({table.file_name(), 1, 1},
                       "its columns are not those of " + tables_.front().file_name(),
                       "files that are read together have the same columns in the same order");
    }
    rows_ += table.rows();
  }
  if (rows_ == 0) throw InputError({tables_.front().file_name()}, "the file has a header but no rows");
}

DataTables DataTables::read_files(std::span<const std::string> paths) {
  std::vector<CsvTable> tables;
  for (const auto& path : paths) tables.push_back(CsvTable::read_file(path));
  return DataTables(std::move(tables));
}

DataTables::Place DataTables::place(std::size_t row) const {
  std::size_t t = 0;
  for (; row >= tables_[t].rows(); ++t) row -= tables_[t].rows();
  return {tables_[t], row};
}

std::size_t DataTables::column(const std::string& name) const {
  return tables_.front().column(name);
}

double DataTables::number(std::size_t row, std::size_t column) const {
  const Place at = place(row);
  return at.table.number(at.row, column);
}

std::string DataTables::text(std::size_t row, std::size_t column) const {
  const Place at = place(row);
  return at.table.text(at.row, column);
}

Dataset make_dataset(const DataTables& tables, const DatasetRequest& request) {
  Dataset out;
  const std::size_t response = tables.column(request.response);
  for (std::size_t i = 0; i < tables.rows(); ++i) out.sample.y.push_back(tables.number(i, response));
  out.positive = std::ranges::all_of(out.sample.y, [](double y) { return y > 0; });
  for (const std::size_t column : wanted_columns(tables, request)) add_feature(tables, column, out);
  if (out.features.empty()) {
    throw InputError(at_field("features"), "no column is left to learn from", join(out.dropped, "; "));
  }
  out.sample.columns = sample_columns(out.features);
  std::vector<std::vector<double>> rows;
  for (std::size_t i = 0; i < tables.rows(); ++i) rows.push_back(encode(tables, i, out.features).x);
  out.sample.x = stats::Matrix::from_rows(rows);
  return out;
}

std::vector<SampleColumn> sample_columns(const std::vector<Feature>& features) {
  std::vector<SampleColumn> columns;
  for (std::size_t f = 0; f < features.size(); ++f) {
    if (features[f].numeric()) columns.push_back({features[f].name, {}});
    for (std::size_t v = 1; v < features[f].values.size(); ++v) {
      columns.push_back({features[f].name + "=" + features[f].values[v], f});
    }
  }
  return columns;
}

EncodedRow encode(const DataTables& tables, std::size_t row, const std::vector<Feature>& features) {
  EncodedRow out;
  for (const auto& feature : features) {
    const std::size_t column = tables.column(feature.name);
    if (feature.numeric()) {
      out.x.push_back(tables.number(row, column));
      continue;
    }
    const std::string text = tables.text(row, column);
    out.unseen |= !std::ranges::binary_search(feature.values, text);
    for (std::size_t v = 1; v < feature.values.size(); ++v) {
      out.x.push_back(text == feature.values[v] ? 1 : 0);
    }
  }
  return out;
}

Sample select_rows(const Sample& sample, std::span<const std::size_t> rows) {
  Sample out{sample.columns, sample.x.select_rows(rows), {}};
  for (const std::size_t row : rows) out.y.push_back(sample.y[row]);
  return out;
}

}  // namespace sextant::learn
