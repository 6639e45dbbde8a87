#include "sextant/queueing/diagnosis.h"

#include <algorithm>
#include <cmath>

#include "formatted.h"
#include "sextant/core/error.h"
#include "times_diagnosis.h"
#include "wait_interval.h"

namespace sextant::queueing {
namespace {

constexpr std::size_t kFewJobs = 100;
constexpr double kManyTies = 0.1;
constexpr double kSensitive = 0.95;

std::string exponential_evidence(const TimesDiagnosis& times) {
  const auto& fits = times.fits;
  const auto found = std::ranges::find(fits, Family::exponential, &FamilyFit::family);
  if (found == fits.end() || !found->kolmogorov) return "constant";
  return formatted("KS p=%.2g, scv %.3g", found->kolmogorov->p, times.scv);
}

// Each fault makes the other test reject as well, so both are named.
std::string about(const TimesDiagnosis& times, const std::string& what, const char* when_exponential) {
  std::string faults;
  if (!times.steady) faults = formatted(" change over the records (p=%.2g)", times.level.p);
  if (!times.independent) {
    faults +=
        (faults.empty() ? "" : " and") + formatted(" depend on each other (rank correlation %.2g, p=%.2g)",
                                                   times.serial.correlation, times.serial.p);
  }
  if (!faults.empty()) return what + faults;
  return what + (times.exponential ? " are " : " are not ") + when_exponential + " (" +
         exponential_evidence(times) + ")";
}

struct Choice {
  QueueModel model;
  std::string name;
  double arrival_scv;
  double service_scv;
};

Choice choose(const Diagnosis& d, bool one_server) {
  const bool poisson = d.may_be_used && d.arrivals.exponential;
  const bool exponential = d.may_be_used && d.services.exponential;
  if (poisson && exponential) {
    return {one_server ? QueueModel::mm1 : QueueModel::mmc, one_server ? "M/M/1" : "M/M/c", 1, 1};
  }
  if (poisson && one_server) return {QueueModel::mg1, "M/G/1", 1, d.services.scv};
  if (poisson) return {QueueModel::ggc, "M/G/c", 1, d.services.scv};
  return {QueueModel::ggc, one_server ? "G/G/1" : "G/G/c", d.arrivals.scv, d.services.scv};
}

std::string method_of(const Choice& choice) {
  switch (choice.model) {
    case QueueModel::mg1:
      return "M/G/1 (Pollaczek-Khinchine)";
    case QueueModel::ggc:
      return choice.name + (choice.name.ends_with('1') ? " (Kingman)" : " (Allen-Cunneen)");
    default:
      return choice.name;
  }
}

void warn_about(const TimesDiagnosis& times, const std::string& what, std::vector<std::string>& warnings) {
  if (times.tied > kManyTies && times.scv > 0) {
    warnings.push_back(formatted("%.0f %% of the ", 100 * times.tied) + what +
                       " are equal to others: rounded? Tests of fit see the rounding");
  }
}

void collect_warnings(Diagnosis& d) {
  d.warnings.clear();
  if (!d.may_be_used) {
    d.warnings.emplace_back(
        "no model of independent times under a constant load may be used; its answer is a rough guide, and "
        "the replay of the records says what these jobs would have waited");
  }
  if (d.arrivals.count < kFewJobs) {
    d.warnings.push_back(formatted("only %zu jobs: the tests find gross deviations only", d.services.count));
  }
  warn_about(d.arrivals, "times between arrivals", d.warnings);
  warn_about(d.services, "services", d.warnings);
  if (d.result.stable && d.result.utilisation > kSensitive) {
    d.warnings.push_back(formatted(
        "utilisation %.3g: a small error in the load changes the waiting time much", d.result.utilisation));
  }
}

}  // namespace

void change_servers(Diagnosis& d, const JobRecords& records, std::int64_t servers) {
  const Choice choice = choose(d, servers == 1);
  d.model = choice.model;
  d.load = {.arrival_rate = Hertz{1 / d.arrivals.mean_s},
            .service_time = Seconds{d.services.mean_s},
            .servers = servers,
            .arrival_scv = choice.arrival_scv,
            .service_scv = choice.service_scv};
  d.result = solve(choice.model, d.load);
  d.result.model = choice.name;
  d.reason =
      about(d.arrivals, "arrivals", "Poisson") + ", " + about(d.services, "services", "exponential") + ": " +
      (d.may_be_used ? method_of(choice) : "no model may be used; " + method_of(choice) + " as a guide");
  d.waiting_interval_s = wait_interval(d, records);
  d.replay = replay_fcfs(records.arrival_s, records.service_s, servers);
  collect_warnings(d);
}

Diagnosis diagnose(const JobRecords& records, const DiagnosisOptions& options) {
  Diagnosis d;
  d.seed = options.seed;
  d.arrivals = diagnose_times(records.interarrival_s, "arrivals", options);
  d.services = diagnose_times(records.service_s, "services", options);
  d.may_be_used = d.arrivals.independent && d.arrivals.steady && d.services.independent && d.services.steady;
  change_servers(d, records, options.servers);
  return d;
}

}  // namespace sextant::queueing
