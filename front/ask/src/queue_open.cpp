// Open queues: a sweep over the lists, a number of servers for targets, priorities.
#include <algorithm>
#include <map>

#include "queue_forms.h"
#include "queue_texts.h"
#include "sextant/core/csv.h"

namespace sextant::ask {
namespace {

constexpr std::size_t kMostLoads = 100'000;

queueing::QueueModel open_model(const std::string& id) {
  static const std::map<std::string, queueing::QueueModel> models = {{"mm1", queueing::QueueModel::mm1},
                                                                     {"mmc", queueing::QueueModel::mmc},
                                                                     {"mmck", queueing::QueueModel::mmck},
                                                                     {"mg1", queueing::QueueModel::mg1},
                                                                     {"ggc", queueing::QueueModel::ggc}};
  return models.at(id);
}

// Every load so far with every value of one more list; an absent list changes nothing.
template <class Value, class Set>
void cross(std::vector<queueing::Load>& loads, const std::vector<Value>& values, Set set) {
  if (values.empty()) return;
  if (loads.size() * values.size() > kMostLoads) throw InputError("the lists make more than 100000 rows");
  std::vector<queueing::Load> product;
  for (const queueing::Load& load : loads) {
    for (const Value& value : values) {
      product.push_back(load);
      set(product.back(), value);
    }
  }
  loads = std::move(product);
}

Seconds service_time_of(const Hertz& rate) {
  if (!(rate.value > 0)) throw InputError(at_field("service_rate"), "the rate is not above 0");
  return Seconds{1 / rate.value};
}

std::vector<queueing::Load> loads_asked(const QueueQuestion& a) {
  if (a.arrival_rates.empty())
    throw InputError(at_field("arrival_rate"),
                     "the rate of arrivals is missing: how many jobs come per second?");
  if (a.service_rates.empty() == a.service_times.empty()) {
    throw InputError(at_field("service_time"), "give either `service_time` or `service_rate`");
  }
  std::vector<queueing::Load> loads(1);
  cross(loads, a.arrival_rates,
        [](queueing::Load& l, const std::string& v) { l.arrival_rate = queue_rate(v, "arrival_rate"); });
  cross(loads, a.service_rates, [](queueing::Load& l, const std::string& v) {
    l.service_time = service_time_of(queue_rate(v, "service_rate"));
  });
  cross(loads, a.service_times,
        [](queueing::Load& l, const std::string& v) { l.service_time = queue_duration(v, "service_time"); });
  cross(loads, a.arrival_scvs,
        [](queueing::Load& l, const std::string& v) { l.arrival_scv = queue_number(v, "arrival_scv"); });
  cross(loads, a.service_scvs,
        [](queueing::Load& l, const std::string& v) { l.service_scv = queue_number(v, "service_scv"); });
  cross(loads, a.servers, [](queueing::Load& l, std::int64_t v) { l.servers = v; });
  cross(loads, a.capacities, [](queueing::Load& l, std::int64_t v) { l.capacity = v; });
  return loads;
}

QueueAnswer size_queues(const QueueQuestion& question) {
  refuse_servers_beside_target(question);
  const queueing::QueueModel model = sized_model(open_model(question.model));
  SizedQueues sized;
  std::vector<std::string> warnings;
  for (const queueing::Load& load : loads_asked(question)) {
    sized.sizings.push_back(least_servers(model, load, queue_targets(question), question.max_servers));
    if (!sized.sizings.back().feasible) warnings.push_back(shortfall_text(sized.sizings.back()));
  }
  const bool feasible = std::ranges::any_of(sized.sizings, &queueing::Sizing::feasible);
  return {std::move(sized), feasible, std::move(warnings)};
}

}  // namespace

QueueAnswer open_queues(const QueueQuestion& question) {
  if (queue_targets(question).any()) return size_queues(question);
  OpenQueues open;
  std::vector<std::string> warnings;
  for (const queueing::Load& load : loads_asked(question)) {
    open.results.push_back(solve(open_model(question.model), load));
    if (!open.results.back().stable) warnings.push_back(overload_text(open.results.back()));
  }
  const bool feasible = std::ranges::any_of(open.results, &queueing::QueueResult::stable);
  return {std::move(open), feasible, std::move(warnings)};
}

QueueAnswer priority_queue(const QueueQuestion& question) {
  const queueing::PriorityResult result =
      priority_mg1(queueing::priority_classes(CsvTable::read_file(*question.classes)));
  if (result.stable) return {result};
  const auto full = std::ranges::find(result.classes, false, &queueing::PriorityClassResult::stable);
  const std::string servers =
      result.stable_servers ? std::to_string(*result.stable_servers) : "more than 10^9";
  const std::string warning =
      "unstable: the queue of class '" + full->job.name +
      "' and of those below it grows without bound, since utilisation is not below 1; " + servers +
      " servers would keep up";
  return {result, false, {warning}};
}

}  // namespace sextant::ask
