#include "books_json.h"

#include <cmath>
#include <nlohmann/json.hpp>

namespace sextant::daemon {
namespace {

constexpr double kSecondsPerHour = kHour.value;

std::vector<NodeShare> shares_of(const Json& json) {
  std::vector<NodeShare> shares;
  for (const Json& share : json) {
    shares.push_back({share.at("node").get<std::string>(), share.at("gpus").get<std::int32_t>()});
  }
  return shares;
}

Json stretch_json(const Stretch& stretch) {
  return {
      {"machine", stretch.machine},          {"gpus", stretch.gpus}, {"shares", shares_json(stretch.shares)},
      {"since_unix_s", stretch.since.value}, {"key", stretch.key},   {"reference", stretch.reference}};
}

Stretch stretch_of(const Json& json) {
  return {.machine = json.at("machine").get<std::string>(),
          .gpus = json.at("gpus").get<std::int32_t>(),
          .shares = shares_of(json.at("shares")),
          .since = Seconds{json.at("since_unix_s").get<double>()},
          .key = json.at("key").get<std::string>(),
          .reference = json.at("reference").get<std::string>()};
}

}  // namespace

Json shares_json(const std::vector<NodeShare>& shares) {
  Json json = Json::array();
  for (const NodeShare& share : shares) json.push_back({{"node", share.node}, {"gpus", share.gpus}});
  return json;
}

Json order_json(const JobOrder& order) {
  Json json = {{"id", order.id},
               {"usd_per_late_hour", order.tardiness.value * kSecondsPerHour},
               {"priority", order.priority},
               {"restart_s", order.restart.value}};
  if (std::isfinite(order.due.value)) json["due_unix_s"] = order.due.value;
  if (!order.nodes.empty()) json["nodes"] = order.nodes;
  Json& times = json["times"] = Json::array();
  for (const MachineTime& time : order.times) {
    times.push_back({{"machine", time.machine},
                     {"gpus", time.gpus},
                     {"seconds", time.time.value},
                     {"spread", time.spread}});
  }
  if (!order.command.empty()) json["command"] = order.command;
  for (const auto& [name, value] : order.environment) {
    json["environment"].push_back({{"name", name}, {"value", value}});
  }
  if (!order.folder.empty()) json["folder"] = order.folder;
  return json;
}

JobOrder order_of(const Json& json) {
  JobOrder order;
  order.id = json.at("id").get<std::string>();
  order.tardiness = DollarRate{json.at("usd_per_late_hour").get<double>() / kSecondsPerHour};
  order.priority = json.at("priority").get<double>();
  order.restart = Seconds{json.at("restart_s").get<double>()};
  if (json.contains("due_unix_s")) order.due = Seconds{json["due_unix_s"].get<double>()};
  order.nodes = json.value("nodes", std::vector<std::string>{});
  for (const Json& time : json.at("times")) {
    order.times.push_back({.machine = time.at("machine").get<std::string>(),
                           .gpus = time.at("gpus").get<std::int32_t>(),
                           .time = Seconds{time.at("seconds").get<double>()},
                           .spread = time.at("spread").get<double>()});
  }
  order.command = json.value("command", std::vector<std::string>{});
  for (const Json& variable : json.value("environment", Json::array())) {
    order.environment[variable.at("name").get<std::string>()] = variable.at("value").get<std::string>();
  }
  order.folder = json.value("folder", "");
  return order;
}

Json standing_json(const DaemonJob& job) {
  Json json = {{"submitted_unix_s", job.submitted.value},
               {"phase", phase_text(job.phase)},
               {"reason", job.reason},
               {"after_stop", phase_text(job.after_stop)},
               {"done", job.done},
               {"done_unix_s", job.done_at.value},
               {"slowness", job.slowness},
               {"promised", job.promised},
               {"starts", job.starts},
               {"failures", job.failures},
               {"ended_unix_s", job.ended.value}};
  if (job.stretch) json["stretch"] = stretch_json(*job.stretch);
  return json;
}

void read_standing(const Json& json, DaemonJob& job) {
  job.submitted = Seconds{json.at("submitted_unix_s").get<double>()};
  job.phase = phase_of(json.at("phase").get<std::string>());
  job.reason = json.at("reason").get<std::string>();
  job.after_stop = phase_of(json.at("after_stop").get<std::string>());
  job.done = json.at("done").get<double>();
  job.done_at = Seconds{json.at("done_unix_s").get<double>()};
  job.slowness = json.at("slowness").get<double>();
  job.promised = json.at("promised").get<bool>();
  job.starts = json.at("starts").get<std::int32_t>();
  job.failures = json.at("failures").get<std::int32_t>();
  job.ended = Seconds{json.at("ended_unix_s").get<double>()};
  if (json.contains("stretch")) job.stretch = stretch_of(json["stretch"]);
}

Json node_json(const DaemonNode& node) {
  return {{"name", node.name},
          {"only", node.only},
          {"down", node.down},
          {"machine", node.machine},
          {"on_since_unix_s", node.on_since.value},
          {"paid_until_unix_s", node.paid_until.value}};
}

DaemonNode node_of(const Json& json) {
  return {.name = json.at("name").get<std::string>(),
          .only = json.at("only").get<std::string>(),
          .down = json.at("down").get<bool>(),
          .machine = json.at("machine").get<std::string>(),
          .on_since = Seconds{json.at("on_since_unix_s").get<double>()},
          .paid_until = Seconds{json.at("paid_until_unix_s").get<double>()}};
}

Json machine_json(const capacity::MachineType& machine) {
  return {{"name", machine.name},
          {"gpu", machine.gpu},
          {"gpus", machine.gpus},
          {"usd_per_hour", machine.hour_price.value},
          {"minimum_billing_s", machine.minimum_billing.value},
          {"idle_w", machine.idle.value},
          {"busy_w", machine.busy.value},
          {"losses_per_hour", machine.losses_per_hour}};
}

capacity::MachineType machine_of(const Json& json) {
  return {.name = json.at("name").get<std::string>(),
          .gpu = json.at("gpu").get<std::string>(),
          .gpus = json.at("gpus").get<std::int32_t>(),
          .hour_price = Dollars{json.at("usd_per_hour").get<double>()},
          .minimum_billing = Seconds{json.at("minimum_billing_s").get<double>()},
          .idle = Watts{json.at("idle_w").get<double>()},
          .busy = Watts{json.at("busy_w").get<double>()},
          .losses_per_hour = json.at("losses_per_hour").get<double>()};
}

Json step_json(const Step& step) {
  Json json = {{"key", step.key}, {"kind", step_text(step.kind)}, {"decision", step.decision}};
  if (!step.job.empty()) json["job"] = step.job;
  if (!step.node.empty()) json["node"] = step.node;
  if (!step.machine.empty()) json["machine"] = step.machine;
  if (step.gpus > 0) json["gpus"] = step.gpus;
  if (!step.shares.empty()) json["shares"] = shares_json(step.shares);
  json["reason"] = step.reason;
  return json;
}

Step step_of(const Json& json) {
  Step step;
  step.key = json.at("key").get<std::string>();
  step.kind = step_kind_of(json.at("kind").get<std::string>());
  step.decision = json.at("decision").get<std::int64_t>();
  step.job = json.value("job", "");
  step.node = json.value("node", "");
  step.machine = json.value("machine", "");
  step.gpus = json.value("gpus", 0);
  if (json.contains("shares")) step.shares = shares_of(json["shares"]);
  step.reason = json.at("reason").get<std::string>();
  return step;
}

}  // namespace sextant::daemon
