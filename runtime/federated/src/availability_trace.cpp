#include "sextant/federated/availability_trace.h"

#include <algorithm>

#include "sextant/core/csv.h"
#include "sextant/federated/federation.h"

namespace sextant::federated {
namespace {

using events::kEndless;
using events::Nanos;

constexpr double kLatest = 1e9;  // s, thirty years: nanoseconds of some repetitions fit

double time_at(const CsvTable& table, std::size_t row, std::size_t column) {
  const double seconds = table.number(row, column);
  if (seconds >= 0 && seconds <= kLatest) return seconds;
  throw InputError(table.where(row, column), "the time is not between 0 and 1e9 s",
                   "times count from the beginning of the trace");
}

}  // namespace

AvailabilityTrace AvailabilityTrace::parse(std::string text, std::string file_name) {
  const CsvTable table = CsvTable::parse(std::move(text), std::move(file_name));
  const std::size_t client = table.column("client");
  const std::size_t from = table.column("from_s");
  const std::size_t to = table.column("to_s");
  AvailabilityTrace trace;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const std::int64_t number = table.integer(row, client);
    if (number < 0 || number >= kMostClients) {
      throw InputError(table.where(row, client),
                       "the number of the client is not from 0 to " + std::to_string(kMostClients - 1));
    }
    const Stay stay{.from = events::nanos_of(time_at(table, row, from)),
                    .to = events::nanos_of(time_at(table, row, to))};
    if (stay.to <= stay.from) throw InputError(table.where(row, to), "the stay ends before it begins");
    if (number >= trace.clients()) trace.stays_.resize(static_cast<std::size_t>(number) + 1);
    trace.stays_[static_cast<std::size_t>(number)].push_back(stay);
    trace.period_ = std::max(trace.period_, stay.to);
  }
  if (trace.stays_.empty()) throw InputError({table.file_name()}, "the trace has no line but its header");
  for (auto& stays : trace.stays_) {
    std::ranges::sort(stays, {}, &Stay::from);
    std::vector<Stay> apart;
    for (const Stay& stay : stays) {
      if (apart.empty() || stay.from > apart.back().to) {
        apart.push_back(stay);
      } else {
        apart.back().to = std::max(apart.back().to, stay.to);
      }
    }
    stays = std::move(apart);
  }
  return trace;
}

AvailabilityTrace AvailabilityTrace::read(const std::string& path) {
  return parse(read_text_file(path), path);
}

const std::vector<AvailabilityTrace::Stay>& AvailabilityTrace::stays_of(std::int64_t client) const {
  static const std::vector<Stay> none;
  return client < clients() ? stays_[static_cast<std::size_t>(client)] : none;
}

bool AvailabilityTrace::there(std::int64_t client, Nanos at) const {
  return next(client, at) == at;
}

Nanos AvailabilityTrace::until(std::int64_t client, Nanos at) const {
  const std::vector<Stay>& stays = stays_of(client);
  const Nanos within = at % period_;
  const auto after = std::ranges::upper_bound(stays, within, {}, &Stay::to);
  if (after == stays.end() || after->from > within) return at;
  if (after->to < period_ || stays.front().from > 0) return at - within + after->to;
  // It stays over the end of the trace, which is its beginning.
  return stays.size() == 1 ? kEndless : at - within + period_ + stays.front().to;
}

Nanos AvailabilityTrace::next(std::int64_t client, Nanos at) const {
  const std::vector<Stay>& stays = stays_of(client);
  if (stays.empty()) return kEndless;
  const Nanos within = at % period_;
  const auto after = std::ranges::upper_bound(stays, within, {}, &Stay::to);
  if (after == stays.end()) return at - within + period_ + stays.front().from;
  return at - within + std::max(within, after->from);
}

}  // namespace sextant::federated
