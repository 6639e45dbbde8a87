#include "queue_open.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "sextant/cli/run.h"
#include "sextant/report/queue_report.h"

namespace sextant {
namespace {

constexpr std::size_t kMostRows = 100'000;

QueueModel model_of(const std::string& id) {
  static const std::map<std::string, QueueModel> models = {{"mm1", QueueModel::mm1},
                                                           {"mmc", QueueModel::mmc},
                                                           {"mmck", QueueModel::mmck},
                                                           {"mg1", QueueModel::mg1},
                                                           {"ggc", QueueModel::ggc}};
  return models.at(id);
}

// Every load so far with every value of one more list; an absent list changes nothing.
template <class Value, class Set>
void sweep(std::vector<Load>& loads, const std::vector<Value>& values, Set set) {
  if (values.empty()) return;
  if (loads.size() * values.size() > kMostRows) throw InputError("the lists make more than 100000 rows");
  std::vector<Load> product;
  for (const Load& load : loads) {
    for (const Value& value : values) {
      product.push_back(load);
      set(product.back(), value);
    }
  }
  loads = std::move(product);
}

Seconds service_of(const Hertz& rate) {
  if (!(rate.value > 0)) throw InputError({"--service-rate"}, "is not above 0");
  return Seconds{1 / rate.value};
}

std::vector<Load> loads_of(const QueueArgs& a) {
  if (a.arrival_rates.empty()) throw InputError({"--arrival-rate"}, "is missing: how many jobs per second?");
  if (a.service_rates.empty() == a.service_times.empty()) {
    throw InputError({"--service-time"}, "give either this or --service-rate");
  }
  std::vector<Load> loads(1);
  sweep(loads, a.arrival_rates,
        [](Load& l, const std::string& v) { l.arrival_rate = rate_of(v, "--arrival-rate"); });
  sweep(loads, a.service_rates,
        [](Load& l, const std::string& v) { l.service_time = service_of(rate_of(v, "--service-rate")); });
  sweep(loads, a.service_times,
        [](Load& l, const std::string& v) { l.service_time = duration_of(v, "--service-time"); });
  sweep(loads, a.arrival_scvs,
        [](Load& l, const std::string& v) { l.arrival_scv = number_of(v, "--arrival-scv"); });
  sweep(loads, a.service_scvs,
        [](Load& l, const std::string& v) { l.service_scv = number_of(v, "--service-scv"); });
  sweep(loads, a.servers, [](Load& l, std::int64_t v) { l.servers = v; });
  sweep(loads, a.capacities, [](Load& l, std::int64_t v) { l.capacity = v; });
  return loads;
}

template <class Result>
void write(const Io& io, const Globals& globals, const std::vector<Result>& results,
           Table (*table)(const std::vector<Result>&)) {
  if (globals.chosen_format() != Format::json) return write_table(io, globals, table(results));
  Json list = Json::array();
  for (const auto& result : results) list.push_back(to_json(result));
  write_json(io, globals, results.size() == 1 ? list.front() : list);
}

int size_queues(const QueueArgs& args, const Io& io, const Globals& globals) {
  if (!args.servers.empty()) {
    throw InputError({"--servers"}, "is what a target looks for", "--max-servers limits it");
  }
  // With several servers M/M/1 is M/M/c, and M/G/1 is G/G/c with Poisson arrivals.
  const bool markov = args.model == "mm1" || args.model == "mmc";
  std::vector<Sizing> sizings;
  for (const Load& load : loads_of(args)) {
    sizings.push_back(
        least_servers(markov ? QueueModel::mmc : QueueModel::ggc, load, targets_of(args), args.max_servers));
  }
  write(io, globals, sizings, sizing_table);
  for (const auto& sizing : sizings) {
    if (!sizing.feasible) {
      warn(io,
           "infeasible with " + std::to_string(sizing.result.load.servers) + " servers: " + sizing.tightest);
    }
  }
  return std::ranges::any_of(sizings, &Sizing::feasible) ? kDone : kInfeasible;
}

}  // namespace

int open_queues(const QueueArgs& args, const Io& io, const Globals& globals) {
  if (targets_of(args).any()) return size_queues(args, io, globals);
  std::vector<QueueResult> results;
  for (const Load& load : loads_of(args)) results.push_back(solve(model_of(args.model), load));
  write(io, globals, results, queues_table);
  for (const auto& result : results) {
    if (!result.stable) warn(io, overload_text(result));
  }
  return std::ranges::any_of(results, &QueueResult::stable) ? kDone : kInfeasible;
}

int priority_queue_of(const QueueArgs& args, const Io& io, const Globals& globals) {
  const PriorityResult result = priority_mg1(priority_classes(CsvTable::read_file(*args.classes)));
  if (globals.chosen_format() == Format::json) {
    write_json(io, globals, to_json(result));
  } else {
    write_table(io, globals, priority_table(result));
  }
  if (result.stable) return kDone;
  const auto full = std::ranges::find(result.classes, false, &PriorityClassResult::stable);
  const std::string servers =
      result.stable_servers ? std::to_string(*result.stable_servers) : "more than 10^9";
  warn(io, "class '" + full->job.name +
               "' and those below it wait without bound: utilisation is not below 1; " + servers +
               " servers would keep up");
  return kInfeasible;
}

}  // namespace sextant
