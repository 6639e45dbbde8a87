#include <array>

#include "sextant/collectives/calibration_fit.h"
#include "sextant/collectives/collective_cases.h"
#include "wire_time.h"

namespace sextant::collectives {
namespace {

struct TimeColumn {
  std::size_t column;
  double seconds;  // a unit of the column
};

TimeColumn time_column(const CsvTable& table) {
  constexpr std::array<std::pair<const char*, double>, 3> kNames = {
      {{"measured_s", 1}, {"measured_ms", 1e-3}, {"median_ms", 1e-3}}};
  for (const auto& [name, unit] : kNames) {
    if (const auto column = table.find_column(name)) return {*column, unit};
  }
  throw InputError({table.file_name(), 1, 1}, "no column holds the time",
                   "'measured_s', 'measured_ms' or 'median_ms'");
}

}  // namespace

std::vector<TimedCollective> read_timed(const CsvTable& table, const Systems& systems,
                                        const catalog::Catalog& catalog) {
  const CollectiveColumns columns(table);
  const TimeColumn time = time_column(table);
  std::vector<TimedCollective> rows;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const CollectiveCase question = columns.read(table, row);
    const double value = table.number(row, time.column);
    if (value < 0 || value > 1e9) {
      throw InputError(table.where(row, time.column), "this is not a time");
    }
    const SourcePos at = table.where(row, columns.system());
    const System system = !rows.empty() && rows.back().system.id == question.system
                              ? rows.back().system
                              : find_system(systems, catalog, question.system, at);
    try {
      check_question(system, question.question);
    } catch (const InputError& error) {
      throw InputError(at, error.message(), error.hint());
    }
    if (value > 0 && question.question.gpus > 1) {
      rows.push_back({system, question.question, Seconds{time.seconds * value}});
    }
  }
  return rows;
}

}  // namespace sextant::collectives
