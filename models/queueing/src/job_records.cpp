#include "sextant/queueing/job_records.h"

#include <numeric>

#include "sextant/core/text.h"

namespace sextant::queueing {
namespace {

constexpr std::size_t kFewestJobs = 20;
constexpr double kLargest = 1e150;

std::vector<double> durations(const CsvTable& table, std::size_t column) {
  std::vector<double> values;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    values.push_back(table.number(row, column));
    if (values.back() >= 0 && values.back() <= kLargest) continue;
    throw InputError(table.where(row, column),
                     "'" + table.text(row, column) + "' is not a duration in seconds, from 0 to 1e150");
  }
  return values;
}

// The columns that are there are named, and how to say which is meant.
std::size_t needed(const CsvTable& table, const std::string& name, const std::string& field) {
  const auto column = table.find_column(name);
  if (column) return *column;
  if (!table.separator_hint().empty()) return table.column(name);
  throw InputError({table.file_name(), 1, 1}, "there is no column '" + name + "'",
                   field + " says which column it is; there are " + join(table.header(), ", "));
}

std::vector<double> instants(const CsvTable& table, std::size_t column) {
  std::vector<double> values;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    values.push_back(table.number(row, column));
    if (!(values.back() >= -kLargest && values.back() <= kLargest)) {
      throw InputError(table.where(row, column), "this instant is beyond 1e150 seconds");
    }
    if (row == 0 || values[row] >= values[row - 1]) continue;
    throw InputError(table.where(row, column), "this job arrives before the one above it",
                     "sort the rows by " + table.header()[column]);
  }
  return values;
}

}  // namespace

JobRecords job_records(const CsvTable& table, const JobColumns& columns) {
  const auto gaps = table.find_column(columns.interarrival);
  const auto times = table.find_column(columns.arrival);
  // Named as it should be there: the message says which columns are.
  const std::size_t arrival =
      times || gaps ? times.value_or(0) : needed(table, columns.arrival, "`arrival_column`");
  const std::size_t service = needed(table, columns.service, "`service_column`");
  if (table.rows() < kFewestJobs) {
    throw InputError(
        {table.file_name()},
        "the file has " + std::to_string(table.rows()) + " jobs, which is too few to tell a model",
        "at least " + std::to_string(kFewestJobs));
  }
  JobRecords records;
  records.service_s = durations(table, service);
  if (times) {
    records.arrival_s = instants(table, arrival);
    for (std::size_t i = 1; i < records.arrival_s.size(); ++i) {
      records.interarrival_s.push_back(records.arrival_s[i] - records.arrival_s[i - 1]);
    }
  } else {
    records.interarrival_s = durations(table, *gaps);
    records.arrival_s.resize(table.rows());
    std::partial_sum(records.interarrival_s.begin(), records.interarrival_s.end(), records.arrival_s.begin());
  }
  return records;
}

}  // namespace sextant::queueing
