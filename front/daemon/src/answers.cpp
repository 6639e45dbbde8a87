#include <algorithm>
#include <nlohmann/json.hpp>

#include "api.h"
#include "books_json.h"

namespace sextant::daemon {

Json job_answer(const DaemonJob& job, Seconds now) {
  Json json = order_json(job.order);
  json["seq"] = job.seq;
  json["submitted_unix_s"] = job.submitted.value;
  json["state"] = phase_text(job.phase);
  json["reason"] = job.reason;
  const double done = job.phase == Phase::finished ? 1 : done_by(job, now);
  json["done"] = done;
  json["slowness"] = job.slowness;
  json["starts"] = job.starts;
  if (is_over(job.phase)) json["ended_unix_s"] = job.ended.value;
  if (!job.stretch) return json;
  json["machine"] = job.stretch->machine;
  json["gpus"] = job.stretch->gpus;
  json["shares"] = shares_json(job.stretch->shares);
  json["started_unix_s"] = job.stretch->since.value;
  if (const auto time = whole_time(job); time && holds_gpus(job.phase))
    json["expected_end_unix_s"] = (now + (1 - done) * *time).value;
  if (!job.stretch->reference.empty()) json["reference"] = job.stretch->reference;
  return json;
}

Json nodes_answer(const Books& books) {
  Json machines = Json::array();
  for (const auto& [name, machine] : books.machines) machines.push_back(machine_json(machine));
  std::map<std::string, std::int32_t> used;
  std::map<std::string, Json> jobs;
  for (const std::size_t place : books.live) {
    const DaemonJob& job = books.jobs[place];
    if (!holds_gpus(job.phase) || !job.stretch) continue;
    for (const NodeShare& share : job.stretch->shares) {
      used[share.node] += share.gpus;
      jobs[share.node].push_back(job.order.id);
    }
  }
  Json nodes = Json::array();
  for (const DaemonNode& node : books.nodes) {
    Json json = {{"name", node.name}};
    if (!node.only.empty()) json["only"] = node.only;
    json["down"] = node.down;
    const auto machine = books.machines.find(node.machine);
    const bool on = machine != books.machines.end();
    if (on) {
      json["machine"] = node.machine;
      json["on_since_unix_s"] = node.on_since.value;
    }
    json["free_gpus"] = on ? machine->second.gpus - used[node.name] : 0;
    json["jobs"] = jobs.contains(node.name) ? jobs[node.name] : Json::array();
    nodes.push_back(std::move(json));
  }
  return {{"machines", std::move(machines)}, {"nodes", std::move(nodes)}};
}

}  // namespace sextant::daemon
