#include "open_queue.h"

#include <cmath>

#include "sextant/core/error.h"
#include "sextant/core/infinity.h"
#include "sextant/core/text.h"

namespace sextant::queueing {
namespace {

constexpr double kMostServers = 1e9;

// Products of what lies inside these ranges stay finite, so that no 0 * infinity arises.
constexpr double kSmallest = 1e-250;
constexpr double kLargestRate = 1e250;
constexpr double kLargestScv = 1e6;

struct LoadField {
  const char* field;
  const char* what;
};

void check_positive(double value, const LoadField& place) {
  if (value >= kSmallest && value <= kLargestRate) return;
  throw InputError(at_field(place.field),
                   std::string(place.what) + " " + number_text(value) + " is not from 1e-250 to 1e250");
}

void check_scv(double value, const LoadField& place) {
  if (value >= 0 && value <= kLargestScv) return;
  throw InputError(at_field(place.field),
                   std::string(place.what) + " " + number_text(value) + " is not from 0 to 10^6",
                   "squared coefficient of variation: variance / mean^2");
}

void make_infinite(QueueResult& result) {
  result.in_system = kInfinity;
  result.in_queue = kInfinity;
  result.response = Seconds{kInfinity};
  result.waiting = Seconds{kInfinity};
  result.wait_probability = 1;
  result.throughput = Hertz{static_cast<double>(result.load.servers) / result.load.service_time.value};
  result.stable_servers = stable_servers(result.load.offered());
}

}  // namespace

std::string to_string(Standing standing) {
  return standing == Standing::exact ? "exact" : "approximate";
}

std::optional<std::int64_t> stable_servers(double offered) {
  if (!(offered < kMostServers)) return std::nullopt;
  return static_cast<std::int64_t>(std::floor(offered)) + 1;
}

void check_load(const Load& load) {
  check_positive(load.arrival_rate.value, {"arrival_rate", "arrival rate"});
  check_positive(load.service_time.value, {"service_time", "service time"});
  check_scv(load.arrival_scv, {"arrival_scv", "scv of the arrivals"});
  check_scv(load.service_scv, {"service_scv", "scv of the services"});
  if (load.servers < 1) {
    throw InputError(at_field("servers"),
                     "number of servers " + std::to_string(load.servers) + " is below 1");
  }
}

QueueResult start_result(const std::string& model, const Load& load) {
  QueueResult result;
  result.model = model;
  result.load = load;
  result.utilisation = load.offered() / static_cast<double>(load.servers);
  result.stable = result.utilisation < 1;
  result.throughput = load.arrival_rate;
  if (!result.stable) make_infinite(result);
  return result;
}

void finish_by_little(QueueResult& result, Seconds waiting) {
  result.waiting = waiting;
  result.response = waiting + result.load.service_time;
  result.in_queue = result.throughput.value * result.waiting.value;
  result.in_system = result.throughput.value * result.response.value;
}

TimeQuantiles exponential_waits(double waits, Seconds mean_of_those) {
  const auto at = [&](double p) {
    return waits <= 1 - p ? Seconds{0} : std::log(waits / (1 - p)) * mean_of_those;
  };
  return {at(0.50), at(0.90), at(0.95), at(0.99)};
}

QueueResult solve(QueueModel model, const Load& load) {
  switch (model) {
    case QueueModel::mm1:
      return mm1(load);
    case QueueModel::mmc:
      return mmc(load);
    case QueueModel::mmck:
      return mmck(load);
    case QueueModel::mg1:
      return mg1(load);
    case QueueModel::ggc:
      return ggc(load);
  }
  return {};
}

}  // namespace sextant::queueing
