#include "sextant/queueing/priority.h"

#include <algorithm>

#include "open_queue.h"
#include "sextant/core/error.h"
#include "sextant/core/infinity.h"

namespace sextant::queueing {
namespace {

double offered(const PriorityClass& job) {
  return job.arrival_rate.value * job.service_time.value;
}

// Mean time that a job finds the server busy for: sum of rate served * E[S^2] / 2.
double residual(const std::vector<PriorityClass>& classes) {
  double free = 1;
  double sum = 0;
  for (const auto& job : classes) {
    const double served = std::min(offered(job), free);  // share of the time spent on this class
    sum += served * job.service_time.value * (1 + job.service_scv) / 2;
    free -= served;
  }
  return sum;
}

PriorityClassResult class_result(const PriorityClass& job, double above, double residual_s) {
  PriorityClassResult result;
  result.job = job;
  result.utilisation = offered(job);
  const double through = above + result.utilisation;
  result.stable = through < 1;
  result.waiting = Seconds{result.stable ? residual_s / ((1 - above) * (1 - through)) : kInfinity};
  result.response = result.waiting + job.service_time;
  result.in_queue = job.arrival_rate.value * result.waiting.value;
  result.in_system = job.arrival_rate.value * result.response.value;
  return result;
}

double number_or(const CsvTable& table, std::size_t row, std::optional<std::size_t> column,
                 double otherwise) {
  if (!column || table.empty(row, *column)) return otherwise;
  return table.number(row, *column);
}

void check_class(const PriorityClass& job) {
  check_load(
      {.arrival_rate = job.arrival_rate, .service_time = job.service_time, .service_scv = job.service_scv});
}

}  // namespace

PriorityResult priority_mg1(const std::vector<PriorityClass>& classes) {
  if (classes.empty()) throw InputError("there is no class of jobs");
  for (const auto& job : classes) check_class(job);
  const double residual_s = residual(classes);
  PriorityResult result;
  double rate = 0;
  for (const auto& job : classes) {
    result.classes.push_back(class_result(job, result.utilisation, residual_s));
    result.utilisation += offered(job);
    rate += job.arrival_rate.value;
  }
  result.stable = result.utilisation < 1;
  if (!result.stable) result.stable_servers = stable_servers(result.utilisation);
  for (const auto& part : result.classes) {
    const double share = part.job.arrival_rate.value / rate;
    result.waiting += share * part.waiting;
    result.response += share * part.response;
  }
  return result;
}

std::vector<PriorityClass> priority_classes(const CsvTable& table) {
  const std::size_t name = table.column("class");
  const std::size_t rate = table.column("arrival_per_s");
  const std::size_t time = table.column("service_s");
  const auto scv = table.find_column("service_scv");
  if (table.rows() == 0)
    throw InputError({table.file_name()}, "the file has no rows", "a row per class, most urgent first");
  std::vector<PriorityClass> classes;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    classes.push_back({table.text(row, name), Hertz{table.number(row, rate)},
                       Seconds{table.number(row, time)}, number_or(table, row, scv, 1)});
    try {
      check_class(classes.back());
    } catch (const InputError& error) {
      throw InputError(table.where(row, name), error.message(), error.hint());
    }
  }
  return classes;
}

}  // namespace sextant::queueing
