#include <algorithm>
#include <cmath>
#include <map>

#include "case_row.h"

namespace sextant::predict {
namespace {

constexpr double kMillisecond = 1e-3;

struct TimeColumn {
  std::size_t index;
  double unit;  // in seconds
};

TimeColumn time_column(const CsvTable& table) {
  const auto seconds = table.find_column("measured_s");
  const auto milliseconds = table.find_column("measured_ms");
  if (seconds && milliseconds) {
    throw InputError(table.where_header(*milliseconds), "both 'measured_s' and 'measured_ms' are given",
                     "keep one of them");
  }
  if (milliseconds) return {*milliseconds, kMillisecond};
  return {table.column("measured_s"), 1};
}

Seconds time_of(const CsvTable& table, std::size_t row, const TimeColumn& column) {
  const double value = table.number(row, column.index);
  if (value > 0 && std::isfinite(value * column.unit)) return Seconds{value * column.unit};
  throw InputError(table.where(row, column.index), "'" + table.text(row, column.index) + "' is no time",
                   "a number above 0");
}

// Resolves names and checks sizes now, so that every later use of the measurement works. Each network is
// looked up once: of some a file has to be read.
class Resolver {
 public:
  Resolver(const catalog::Catalog& catalog, const CaseDefaults& defaults)
      : catalog_(catalog), defaults_(defaults) {}

  Measurement resolved(Case c, Seconds step) {
    auto known = networks_.find(c.job.net);
    if (known == networks_.end())
      known = networks_.emplace(c.job.net, nets::find_network(c.job.net, {"net"})).first;
    const nets::Network& network = known->second;
    fill_sizes(c.job.sizes, defaults_.job.sizes, network);
    bind(network, c.job.sizes);
    if (c.job.layout.devices() > 1) {
      throw InputError({"count"}, "a step of several GPUs says little of a step of one",
                       "keep the rows with one GPU; 'sextant fit --method scaling' takes the others");
    }
    if (nets::zoo().find(network.id) != nullptr) c.job.net = network.id;  // of a file the path is kept
    return {.job = std::move(c.job), .gpu = find_gpu(catalog_, c.gpu, {"gpu"}).id, .step = step};
  }

 private:
  const catalog::Catalog& catalog_;
  const CaseDefaults& defaults_;
  std::map<std::string, nets::Network> networks_;
};

}  // namespace

std::vector<Measurement> read_measured(const CsvTable& table, const catalog::Catalog& catalog,
                                       const CaseDefaults& defaults) {
  const TimeColumn time = time_column(table);
  const CaseColumns columns(table);
  Resolver resolver(catalog, defaults);
  std::vector<Measurement> measured;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const Seconds step = time_of(table, row, time);
    try {
      measured.push_back(resolver.resolved(read_case(table, columns, row, defaults), step));
      measured.back().at = table.where(row, time.index);
    } catch (const InputError& error) {
      const auto column = table.find_column(column_of(error));
      throw InputError(table.where(row, column.value_or(0)), error.message(), error.hint());
    }
  }
  if (measured.empty())
    throw InputError({table.file_name()}, "the file has only a header", "add one row for each measurement");
  return measured;
}

}  // namespace sextant::predict
