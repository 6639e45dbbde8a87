// Tables as training data: columns of numbers, or of texts that become dummies. Several files with the
// same columns are one table. What cannot be used is refused with its position.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sextant/core/csv.h"
#include "sextant/learn/method.h"

namespace sextant::learn {

// One column that the model reads. Texts become one dummy per value but the first, which is the
// reference; a value that training did not have is the reference too, and flagged.
struct Feature {
  std::string name;
  std::vector<std::string> values = {};  // sorted; empty: a number

  [[nodiscard]] bool numeric() const { return values.empty(); }
  bool operator==(const Feature&) const = default;
};

struct DatasetRequest {
  std::string response;
  std::vector<std::string> features;       // {"all"}: every column but the response and those left out
  std::vector<std::string> left_out = {};  // text columns that `all` does not take: the groups
};

struct Dataset {
  std::vector<Feature> features;
  Sample sample;
  std::vector<std::string> dropped;  // "gpu: constant"
  bool positive = false;             // all responses: percentage errors are defined
};

// Rows of several files with the same columns, in the order given.
class DataTables {
 public:
  explicit DataTables(std::vector<CsvTable> tables);
  static DataTables read_files(std::span<const std::string> paths);

  struct Place {
    const CsvTable& table;
    std::size_t row;
  };
  [[nodiscard]] std::size_t rows() const { return rows_; }
  [[nodiscard]] Place place(std::size_t row) const;
  [[nodiscard]] const std::vector<std::string>& header() const { return tables_.front().header(); }
  // Column of the first table; all tables have it there. InputError with a hint for an unknown name.
  [[nodiscard]] std::size_t column(const std::string& name) const;
  [[nodiscard]] double number(std::size_t row, std::size_t column) const;  // a position, when it is none
  [[nodiscard]] std::string text(std::size_t row, std::size_t column) const;

 private:
  std::vector<CsvTable> tables_;
  std::size_t rows_ = 0;
};

Dataset make_dataset(const DataTables& tables, const DatasetRequest& request);

// The columns that `features` make.
std::vector<SampleColumn> sample_columns(const std::vector<Feature>& features);

struct EncodedRow {
  std::vector<double> x;
  bool unseen = false;  // a text that training did not have
};
EncodedRow encode(const DataTables& tables, std::size_t row, const std::vector<Feature>& features);

Sample select_rows(const Sample& sample, std::span<const std::size_t> rows);

}  // namespace sextant::learn
