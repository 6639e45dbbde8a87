// Runs as an analysis sees them: a response, and factors whose levels may explain it. Made from any table.
// A column of numbers with few values is a factor with levels; one with many is a covariate, which enters as
// a straight line.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sextant/core/csv.h"

namespace sextant::analysis {

struct AnalysisFactor {
  std::string name;
  bool numeric = false;             // every value is a number
  bool covariate = false;           // numeric, with too many values to be levels
  std::vector<std::string> levels;  // numbers ascending, texts in alphabetical order; at least two
  std::vector<std::size_t> level;   // of each row
  std::vector<double> number = {};  // of each row; numeric only
};

struct AnalysisTable {
  std::string response;
  bool maximise = false;  // larger responses are better
  bool log = false;       // y is the logarithm of what the table has
  std::vector<double> y;  // of a censored row: 0, never used
  std::vector<bool> censored;
  std::vector<AnalysisFactor> factors;
  std::optional<std::size_t> group = {};  // the factor that says which workload a row is of
  std::vector<std::string> notes = {};    // columns that were left out, and why

  [[nodiscard]] std::size_t rows() const { return y.size(); }
};

struct AnalysisRequest {
  std::string response;
  // Empty: every other column, but for those that never change, that others determine (a machine's family),
  // that have a text of their own in nearly every row, or numbers that hardly repeat, as measured values do.
  std::vector<std::string> factors = {};
  std::vector<std::string> left_out = {};  // columns that are none
  std::string group = {};
  std::string censored = {};  // "completed=0": such rows did not complete, their response is not read
  bool maximise = false;
  bool log = false;  // analyse the logarithm of the response
};

inline constexpr std::size_t kMostLevelsOfNumbers = 10;

// InputError with a position for a response that is missing, no number, not finite, above 1e150, not positive
// with `log`, or the same in every row; for a factor that does not exist; where no factor is left; and for
// fewer than three complete rows.
AnalysisTable analysis_table(const CsvTable& table, const AnalysisRequest& request);

// The rows named, with levels that do not occur among them gone and factors with one level gone with a note.
AnalysisTable select_rows(const AnalysisTable& table, std::span<const std::size_t> rows);
// Without censored rows.
AnalysisTable completed_rows(const AnalysisTable& table);
// Rows by level of a factor, completed ones only.
std::vector<std::vector<double>> responses_by_level(const AnalysisTable& table, std::size_t factor);
std::size_t find_factor(const AnalysisTable& table, const std::string& name);  // InputError with a hint

}  // namespace sextant::analysis
