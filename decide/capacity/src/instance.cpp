#include "sextant/capacity/instance.h"

#include <algorithm>
#include <cmath>

#include "instance_parts.h"
#include "sextant/capacity/catalogue_machine.h"
#include "sextant/core/date.h"
#include "sextant/core/unit_text.h"

namespace sextant::capacity {
namespace {

NodeCost node_cost_of(TomlSection& section) {
  const std::string word = section.text("cost");
  if (word == "makespan") return NodeCost::makespan;
  if (word == "first-end") return NodeCost::first_end;
  if (word == "period") return NodeCost::period;
  throw InputError(section.where("cost"), "unknown cost of nodes '" + word + "'",
                   "one of makespan, first-end, period");
}

void read_wishes(TomlSection section, Wishes& wishes) {
  if (section.has("period")) wishes.period = time_of(section, "period");
  if (section.has("postponement")) wishes.postponement = within(section, "postponement", 0, 1e6);
  if (section.has("cost")) wishes.cost = node_cost_of(section);
  if (section.has("risk")) wishes.risk = within(section, "risk", 1e-6, 0.5);
  if (section.has("budget"))
    wishes.budget = parse_dollar_rate(section.text("budget"), section.where("budget"));
  if (section.has("power")) wishes.power = parse_watts(section.text("power"), section.where("power"));
  if (section.has("energy_usd_kwh")) wishes.energy_price = Dollars{within(section, "energy_usd_kwh", 0, 1e3)};
  if (section.has("carbon_kg_kwh")) wishes.carbon_kg_per_kwh = within(section, "carbon_kg_kwh", 0, 1e3);
  if (section.has("carbon_usd_kg")) wishes.carbon_price = Dollars{within(section, "carbon_usd_kg", 0, 1e6)};
  if (const auto admission = section.maybe_boolean("admission")) wishes.admission = *admission;
  section.finish();
}

MachineType read_machine(TomlSection section, const catalog::Catalog& catalog) {
  MachineType type;
  const catalog::Machine* known = nullptr;
  if (section.has("id")) {
    known = &catalog.machines.get(section.text("id"), section.where("id"));
    type = catalogue_machine(*known, catalog);
    if (type.gpus < 1) throw InputError(section.where("id"), known->id + " has no whole GPU");
  }
  if (section.has("name")) type.name = section.text("name");
  if (type.name.empty()) throw InputError(section.where(), "a machine without `id` and `name`");
  if (section.has("gpu")) type.gpu = section.text("gpu");
  if (type.gpu.empty()) throw InputError(section.where(), "machine '" + type.name + "' has no `gpu`");
  if (section.has("gpus")) type.gpus = count_of(section, "gpus", 1, 1024);
  if (section.has("price")) {
    type.hour_price = parse_dollar_rate(section.text("price"), section.where("price")) * kHour;
  } else if (const auto price = known != nullptr ? catalogue_price(*known) : std::nullopt) {
    type.hour_price = *price;
  } else {
    throw InputError(section.where(), "machine '" + type.name + "' has no `price`");
  }
  if (section.has("minimum_billing")) type.minimum_billing = time_of(section, "minimum_billing");
  if (section.has("idle")) type.idle = parse_watts(section.text("idle"), section.where("idle"));
  if (section.has("busy")) type.busy = parse_watts(section.text("busy"), section.where("busy"));
  if (section.has("losses_per_hour")) type.losses_per_hour = within(section, "losses_per_hour", 0, 3600);
  section.expect("id");
  section.finish();
  return type;
}

void read_nodes(TomlSection section, Snapshot& snapshot) {
  const std::int32_t count = section.has("count") ? count_of(section, "count", 1, 100000) : 1;
  NodeState node;
  if (section.has("machine"))
    node.only = type_named(snapshot, section.text("machine"), section.where("machine"));
  if (section.has("on")) node.type = type_named(snapshot, section.text("on"), section.where("on"));
  if (const auto down = section.maybe_boolean("down")) node.down = *down;
  section.finish();
  if (snapshot.nodes.size() + static_cast<std::size_t>(count) > kMostNodes) {
    throw InputError(section.where(), "more than " + std::to_string(kMostNodes) + " nodes");
  }
  snapshot.nodes.insert(snapshot.nodes.end(), static_cast<std::size_t>(count), node);
}

}  // namespace

Instance parse_instance(const std::string& text, const std::string& file, const catalog::Catalog& catalog) {
  TomlSection root = parse_toml(text, file);
  Instance instance{.name = root.maybe_text("name").value_or("")};
  Snapshot& snapshot = instance.snapshot;
  snapshot.wishes.cost = NodeCost::makespan;  // a plan that is made once is paid to its end
  std::optional<Seconds> date;
  if (root.has("now")) {
    date = date_seconds(root.text("now"));  // then times are counted from it
    if (!date) snapshot.now = time_of(root, "now");
  }
  if (root.has("wishes")) read_wishes(root.section("wishes"), snapshot.wishes);
  for (TomlSection& section : root.sections("machine")) {
    snapshot.types.push_back(read_machine(section, catalog));
    const MachineType& fresh = snapshot.types.back();
    const auto same = [&](const MachineType& type) { return type.name == fresh.name; };
    if (std::ranges::count_if(snapshot.types, same) > 1) {
      throw InputError(section.where(), "two machines are called '" + fresh.name + "'");
    }
  }
  if (snapshot.types.empty()) throw InputError(root.where(), "there is no [[machine]]");
  for (TomlSection& section : root.sections("node")) read_nodes(section, snapshot);
  if (snapshot.nodes.empty()) throw InputError(root.where(), "there is no [[node]]");
  InstanceTables tables = tables_of(root, file);
  tables.now = date;
  read_jobs(root, tables, instance);
  root.finish();
  return instance;
}

Instance read_instance(const std::string& path, const catalog::Catalog& catalog) {
  return parse_instance(read_text_file(path), path, catalog);
}

void settle_options(Instance& instance) {
  for (std::size_t j = 0; j < instance.snapshot.jobs.size(); ++j) {
    JobState& job = instance.snapshot.jobs[j];
    const JobBounds& bounds = instance.bounds[j];
    std::erase_if(job.options, [&](const JobOption& option) {
      return option.gpus < bounds.least || option.gpus > bounds.most;
    });
    std::ranges::stable_sort(job.options, [](const JobOption& a, const JobOption& b) {
      return a.type != b.type ? a.type < b.type : a.gpus < b.gpus;
    });
    const auto fits = [&](const JobOption& option) {
      const std::int32_t most = instance.snapshot.types[static_cast<std::size_t>(option.type)].gpus;
      std::int32_t left = option.gpus;
      for (std::size_t n = 0; n < instance.snapshot.nodes.size() && left > 0; ++n) {
        const NodeState& node = instance.snapshot.nodes[n];
        const bool may = job.nodes.empty() || std::ranges::count(job.nodes, static_cast<std::int32_t>(n)) > 0;
        if (may && (node.only == kNone || node.only == option.type)) left -= most;
      }
      return left <= 0;
    };
    if (std::ranges::none_of(job.options, fits)) {
      throw InputError(instance.jobs_at[j], "job '" + job.id + "' fits nowhere",
                       job.options.empty()
                           ? "it has no time for any of the machines within its numbers of GPUs"
                           : "none of its nodes can be a machine that it has a time for");
    }
  }
}

}  // namespace sextant::capacity
