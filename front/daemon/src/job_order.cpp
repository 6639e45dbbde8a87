#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "api.h"
#include "predicted_times.h"
#include "sextant/core/error.h"
#include "sextant/core/text.h"

namespace sextant::daemon {
namespace {

std::string entry_name(std::size_t index, const char* member) {
  return "times[" + std::to_string(index) + "]." + member;
}

std::vector<std::string> machine_names(const OrderContext& context) {
  std::vector<std::string> names;
  for (const auto& [name, machine] : context.machines) names.push_back(name);
  return names;
}

std::vector<MachineTime> read_times(const Json& rows, const OrderContext& context) {
  std::vector<MachineTime> times;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Json& row = rows[i];
    MachineTime time{.machine = row.at("machine").get<std::string>(),
                     .gpus = row.at("gpus").get<std::int32_t>(),
                     .time = Seconds{row.at("seconds").get<double>()},
                     .spread = row.value("spread", 0.0)};
    if (!context.machines.contains(time.machine)) {
      throw InputError(at_field(entry_name(i, "machine")),
                       "there is no machine type '" + time.machine + "' here",
                       name_hint(time.machine, machine_names(context)));
    }
    const bool twice = std::ranges::any_of(times, [&](const MachineTime& other) {
      return other.machine == time.machine && other.gpus == time.gpus;
    });
    if (twice)
      throw InputError(at_field(entry_name(i, "gpus")), "this machine and number of GPUs stand twice");
    times.push_back(std::move(time));
  }
  return times;
}

Seconds read_due(const Json& body, Seconds now) {
  if (body.contains("due_in_s") && body.contains("due_unix_s"))
    throw InputError(at_field("due_in_s"), "there are two due dates", "leave out `due_in_s` or `due_unix_s`");
  if (body.contains("due_in_s")) return now + Seconds{body["due_in_s"].get<double>()};
  if (!body.contains("due_unix_s")) return Seconds{std::numeric_limits<double>::infinity()};
  const Seconds due{body["due_unix_s"].get<double>()};
  if (due < now)
    throw InputError(at_field("due_unix_s"),
                     "the due date is " + number_text(std::round((now - due).value)) + " s in the past");
  return due;
}

// GPUs of this type that the order may have at once.
std::int64_t gpus_there(const JobOrder& order, const std::string& machine, const OrderContext& context) {
  std::int64_t gpus = 0;
  for (const DaemonNode& node : context.nodes) {
    const bool may = order.nodes.empty() || std::ranges::find(order.nodes, node.name) != order.nodes.end();
    if (may && (node.only.empty() || node.only == machine)) gpus += context.machines.at(machine).gpus;
  }
  return gpus;
}

void check_fits(const JobOrder& order, const OrderContext& context) {
  const bool fits = std::ranges::any_of(order.times, [&](const MachineTime& time) {
    return time.gpus <= gpus_there(order, time.machine, context);
  });
  if (!fits)
    throw InputError(at_field("times"),
                     "the job fits nowhere: no node can give it any of the GPUs that it names");
}

void check_nodes(const JobOrder& order, const OrderContext& context) {
  for (std::size_t i = 0; i < order.nodes.size(); ++i) {
    if (std::ranges::find(context.nodes, order.nodes[i], &DaemonNode::name) == context.nodes.end())
      throw InputError(at_field("nodes[" + std::to_string(i) + "]"),
                       "there is no node '" + order.nodes[i] + "'");
  }
}

// A name that a shell would take for another thing, or a line break in a value, is no variable.
void check_variable(const std::string& name, std::size_t index) {
  const bool plain = std::ranges::all_of(
      name, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; });
  if (!plain || std::isdigit(static_cast<unsigned char>(name.front())))
    throw InputError(at_field("environment[" + std::to_string(index) + "].name"),
                     "'" + name + "' is no name of a variable");
}

void check_no_nul(const std::string& text, const std::string& field) {
  if (text.find('\0') != std::string::npos) throw InputError(at_field(field), "a text holds a zero byte");
}

// It stands in paths: /v1/jobs/ID.
void check_id(const std::string& id) {
  const bool controls =
      std::ranges::any_of(id, [](char c) { return static_cast<unsigned char>(c) < ' ' || c == 0x7f; });
  if (controls || id == "." || id == ".." || id.find_first_of("/\\") != std::string::npos)
    throw InputError(at_field("id"), "an id stands in addresses, so it has no / and no \\",
                     "letters, digits and signs but / and \\");
}

void read_command(const Json& body, JobOrder& order) {
  order.command = body.value("command", std::vector<std::string>{});
  for (const std::string& word : order.command) check_no_nul(word, "command");
  order.folder = body.value("folder", "");
  check_no_nul(order.folder, "folder");
  const Json variables = body.value("environment", Json::array());
  for (std::size_t i = 0; i < variables.size(); ++i) {
    const auto name = variables[i].at("name").get<std::string>();
    check_variable(name, i);
    order.environment[name] = variables[i].at("value").get<std::string>();
    check_no_nul(order.environment[name], "environment");
  }
}

}  // namespace

JobOrder read_job_order(const Json& body, const OrderContext& context) {
  JobOrder order;
  order.id = body.at("id").get<std::string>();
  check_id(order.id);
  order.due = read_due(body, context.now);
  order.tardiness = DollarRate{body.value("usd_per_late_hour", 0.0) / kHour.value};
  order.priority = body.value("priority", 0.0);
  order.restart = Seconds{body.value("restart_s", 0.0)};
  order.nodes = body.value("nodes", std::vector<std::string>{});
  check_nodes(order, context);
  read_command(body, order);
  if (body.contains("times") == body.contains("network")) {
    throw InputError(at_field("times"), "a job brings its times, or a network whose times are predicted",
                     "one of `times` and `network`");
  }
  order.times =
      body.contains("times") ? read_times(body["times"], context) : predicted_times(body["network"], context);
  check_fits(order, context);
  return order;
}

}  // namespace sextant::daemon
