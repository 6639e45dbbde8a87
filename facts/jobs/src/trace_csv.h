// A trace in CSV: cells within bounds, and the line of each row.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sextant/core/csv.h"
#include "sextant/core/text.h"
#include "trace_builder.h"

namespace sextant::jobs {

class TraceCsv {
 public:
  TraceCsv(std::string text, const std::string& file)
      : table_(CsvTable::parse(std::move(text), file)), lines_(table_.row_lines()) {}

  [[nodiscard]] const CsvTable& table() const { return table_; }
  [[nodiscard]] std::size_t rows() const { return table_.rows(); }
  [[nodiscard]] std::size_t column(std::string_view name) const { return table_.column(name); }
  [[nodiscard]] std::int64_t line(std::size_t row) const { return lines_[row]; }
  [[nodiscard]] std::string text(std::size_t row, std::size_t column) const {
    return std::string(trim(table_.text(row, column)));
  }

  struct Bounds {
    double low = 0;
    double high = kLatestSecond;
  };
  [[nodiscard]] double number(std::size_t row, std::size_t column, const Bounds& bounds) const;
  [[nodiscard]] double seconds(std::size_t row, std::size_t column) const { return number(row, column, {}); }
  // Whole; 0 is let through, for rows that are dropped.
  [[nodiscard]] std::int32_t gpus(std::size_t row, std::size_t column) const;

 private:
  CsvTable table_;
  std::vector<std::int64_t> lines_;
};

// Whether the first line has all these columns.
bool has_columns(std::string_view text, std::initializer_list<std::string_view> names);

// Reasons why a row is dropped, in the words of all readers.
inline constexpr const char* kWithoutGpu = "without GPU";
inline constexpr const char* kNoRunTime = "no run time";
inline constexpr const char* kEndsTooEarly = "ending before they start";
inline constexpr const char* kNoSubmission = "no time of submission";
inline constexpr const char* kNeverStarted = "never started";
inline constexpr const char* kStillRunning = "still running";

}  // namespace sextant::jobs
