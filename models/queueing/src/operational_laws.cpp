#include "sextant/queueing/operational_laws.h"

#include <cmath>

#include "sextant/core/error.h"
#include "sextant/core/text.h"

namespace sextant::queueing {
namespace {

struct LawField {
  const char* field;
  const char* what;
};

void check(const std::optional<double>& value, const LawField& field, bool positive) {
  if (!value || (std::isfinite(*value) && (*value > 0 || (!positive && *value == 0)))) return;
  throw InputError(at_field(field.field), std::string(field.what) + " " + number_text(*value) + " is not a " +
                                              (positive ? "positive number" : "number from 0"));
}

std::optional<double> plain(const std::optional<Seconds>& time) {
  return time ? std::optional(time->value) : std::nullopt;
}

void check(const Measured& m) {
  check(plain(m.period), {"period", "period"}, true);
  check(m.completions, {"completions", "number of completions"}, true);
  check(plain(m.busy), {"busy", "busy time"}, false);
  check(m.visits, {"visits", "number of visits"}, true);
  check(plain(m.service), {"service_time", "service time"}, false);
  check(plain(m.residence), {"residence", "residence time"}, false);
  check(m.users, {"population", "number of users"}, true);
  check(plain(m.think), {"think", "think time"}, false);
  if (m.period && m.busy && *m.busy > *m.period) {
    throw InputError(at_field("busy"), "a device cannot be busy for longer than the period",
                     "divide the busy time by the number of devices");
  }
}

// Quantities by their letters; a law fills one in when its right-hand side is known.
struct Known {
  std::vector<Derived> derived;
  std::optional<double> throughput, service, utilisation, demand;

  double add(Derived law) {
    derived.push_back(std::move(law));
    return derived.back().value;
  }
};

void device_laws(const Measured& m, Known& k) {
  if (m.busy && m.period) k.utilisation = k.add({"utilisation", *m.busy / *m.period, "", "U = B / T"});
  if (m.busy && m.completions && !k.service) {
    // Per visit when visits are known, else per job.
    const double visits = *m.completions * m.visits.value_or(1);
    k.service = k.add({"service time", m.busy->value / visits, "s", "S = B / (V C)"});
  }
  if (k.service && m.visits) {
    k.demand = k.add({"demand", *m.visits * *k.service, "s", "D = V S"});
  } else if (k.utilisation && k.throughput) {
    k.demand = k.add({"demand", *k.utilisation / *k.throughput, "s", "D = U / X"});
  }
  if (k.throughput && m.visits) {
    k.add({"throughput of the device", *m.visits * *k.throughput, "1/s", "X_k = V X"});
  }
  const std::optional<double> demand = k.demand ? k.demand : k.service;
  if (!k.utilisation && k.throughput && demand) {
    k.utilisation = k.add({"utilisation", *k.throughput * *demand, "", "U = X D"});
  }
}

void system_laws(const Measured& m, Known& k) {
  if (!k.throughput) return;
  if (m.residence) {
    k.add({"number in the system", *k.throughput * m.residence->value, "", "N = X R (Little)"});
    if (!m.think) return;
    const double cycle = m.residence->value + m.think->value;
    k.add({"number of users", *k.throughput * cycle, "", "N = X (R + Z)"});
  } else if (m.users) {
    const double response = *m.users / *k.throughput - m.think.value_or(Seconds{0}).value;
    if (response < 0) {
      throw InputError({}, "the response time would be negative: so many completions need more users",
                       "R = N / X - Z");
    }
    k.add({"response time", response, "s", m.think ? "R = N / X - Z (interactive)" : "R = N / X (Little)"});
  }
}

}  // namespace

std::vector<Derived> operational_laws(const Measured& measured) {
  check(measured);
  Known known;
  known.service = plain(measured.service);
  if (measured.completions && measured.period) {
    const double rate = *measured.completions / measured.period->value;
    known.throughput = known.add({"throughput", rate, "1/s", "X = C / T"});
  } else if (measured.users && measured.residence) {
    const double cycle = measured.residence->value + measured.think.value_or(Seconds{0}).value;
    if (cycle > 0) {
      known.throughput = known.add({"throughput", *measured.users / cycle, "1/s", "X = N / (R + Z)"});
    }
  }
  device_laws(measured, known);
  system_laws(measured, known);
  if (known.derived.empty()) {
    throw InputError(
        {}, "nothing follows from what was given",
        "completions and period give the throughput; with a residence time the number in the system");
  }
  return known.derived;
}

}  // namespace sextant::queueing
