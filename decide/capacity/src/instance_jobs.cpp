#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <set>

#include "instance_parts.h"
#include "sextant/core/date.h"
#include "sextant/core/text.h"
#include "sextant/core/unit_text.h"

namespace sextant::capacity {
namespace {

void add_time(Instance& instance, JobState& job, TomlSection section) {
  const Snapshot& snapshot = instance.snapshot;
  JobOption option{.type = type_named(snapshot, section.text("machine"), section.where("machine"))};
  option.gpus = section.has("gpus") ? count_of(section, "gpus", 1, 100000) : 1;
  option.time = time_of(section, "time");
  if (option.time <= Seconds{}) throw InputError(section.where("time"), "a time must be more than 0");
  if (section.has("spread")) option.spread = within(section, "spread", 0, 10);
  section.finish();
  job.options.push_back(option);
}

// Rows of a kind: its GPU or machine, how many, seconds.
void add_table_times(const Snapshot& snapshot, JobState& job, const CsvTable& times,
                     const std::string& kind) {
  const std::size_t kinds = times.column("kind");
  const std::size_t seconds = times.column("seconds");
  const std::size_t gpus = times.column("gpus");
  const auto machine = times.find_column("machine");
  const std::size_t place = machine ? *machine : times.column("gpu");
  const auto spread = times.find_column("spread");
  for (std::size_t row = 0; row < times.rows(); ++row) {
    if (times.text(row, kinds) != kind) continue;
    const double time = times.number(row, seconds);
    if (time <= 0) throw InputError(times.where(row, seconds), "a time must be more than 0");
    const std::int64_t count = times.integer(row, gpus);
    if (count < 1 || count > 100000) throw InputError(times.where(row, gpus), "GPUs must be 1 to 100000");
    const std::string name = times.text(row, place);
    for (std::int32_t type = 0; static_cast<std::size_t>(type) < snapshot.types.size(); ++type) {
      const MachineType& candidate = snapshot.types[static_cast<std::size_t>(type)];
      if (fold_name(machine ? candidate.name : candidate.gpu) != fold_name(name)) continue;
      if (!machine && count > candidate.gpus) continue;
      const double sd = spread ? times.maybe_number(row, *spread).value_or(0) : 0;
      job.options.push_back(
          {.type = type, .gpus = static_cast<std::int32_t>(count), .time = Seconds{time}, .spread = sd});
    }
  }
}

void add_throughputs(TomlSection& section, const InstanceTables& tables, const Snapshot& snapshot,
                     JobState& job) {
  const TrainedModel trained{.model = section.text("model"), .batch = count_of(section, "batch", 1, 1 << 24)};
  const double iterations = within(section, "iterations", 1, 1e15);
  if (!tables.throughputs) {
    throw InputError(section.where("model"), "a model without a table of throughputs",
                     "name its file: throughputs = \"throughputs.csv\"");
  }
  const std::vector<JobOption> options = tables.throughputs->options(trained, iterations, snapshot.types);
  if (options.empty()) {
    throw InputError(section.where("model"),
                     "nothing says how fast '" + trained.model + "' is with batch " +
                         std::to_string(trained.batch) + " on these machines",
                     "throughputs are in " + tables.throughputs->file());
  }
  job.options.insert(job.options.end(), options.begin(), options.end());
}

void add_network(TomlSection& section, std::int32_t job, Instance& instance) {
  TrainedNetwork network{.net = section.text("network"), .at = section.where("network")};
  if (section.has("batch")) network.batch = count_of(section, "batch", 1, 1 << 24);
  network.samples = section.integer("samples");
  if (network.samples < 1) throw InputError(section.where("samples"), "a job has at least one sample");
  if (section.has("epochs")) network.epochs = within(section, "epochs", 1e-6, 1e9);
  if (section.has("precision")) network.precision = section.text("precision");
  instance.networks.push_back({.job = job, .network = std::move(network)});
}

std::vector<std::int32_t> nodes_of(TomlSection& section, const Snapshot& snapshot) {
  std::vector<std::int32_t> nodes;
  for (const double number : section.numbers("nodes")) {
    if (number != std::floor(number) || number < 0 || number >= static_cast<double>(snapshot.nodes.size())) {
      throw InputError(section.where("nodes"), "there is no node " + number_text(number),
                       "nodes count from 0 to " + std::to_string(snapshot.nodes.size() - 1));
    }
    nodes.push_back(static_cast<std::int32_t>(number));
  }
  if (nodes.empty()) throw InputError(section.where("nodes"), "a job without nodes");
  return nodes;
}

void read_times(TomlSection& section, const InstanceTables& tables, JobState& job, Instance& instance) {
  const bool network = section.has("network");
  for (TomlSection& time : section.sections("time")) add_time(instance, job, time);
  if (network) add_network(section, static_cast<std::int32_t>(instance.snapshot.jobs.size()), instance);
  if (section.has("kind")) {
    if (!tables.times)
      throw InputError(section.where("kind"), "a kind without a table",
                       "name its file: times = \"times.csv\"");
    add_table_times(instance.snapshot, job, *tables.times, section.text("kind"));
  }
  if (section.has("model")) {
    if (network) throw InputError(section.where("model"), "a job is a `model` of the table or a `network`");
    add_throughputs(section, tables, instance.snapshot, job);
  }
  if (!network && job.options.empty()) {
    throw InputError(
        section.where(), "job '" + job.id + "' has no times",
        "give it [[job.time]] sections, a `kind` of the table of times, a `model` of the table of "
        "throughputs, or a `network`");
  }
}

// "36 h", or a date, if `now` is one.
Seconds due_of(TomlSection& section, const InstanceTables& tables) {
  const auto date = date_seconds(section.text("due"));
  if (!date) return time_of(section, "due");
  if (!tables.now) {
    throw InputError(section.where("due"), "a date, and nothing says what date it is now",
                     "write `now` at the top of the file as a date too, as in now = \"2026-11-18T08:00\"");
  }
  return *date - *tables.now;
}

JobState read_job(TomlSection& section, const InstanceTables& tables, Instance& instance) {
  const Snapshot& snapshot = instance.snapshot;
  JobState job{.id = section.text("id")};
  if (section.has("submit")) job.submit = time_of(section, "submit");
  if (section.has("due")) {
    job.due = due_of(section, tables);
    if (job.due <= snapshot.now)
      throw InputError(section.where("due"), "the due date of job '" + job.id + "' has passed");
  }
  if (section.has("tardiness")) {
    job.tardiness = parse_dollar_rate(section.text("tardiness"), section.where("tardiness"));
  }
  if (section.has("priority")) job.priority = within(section, "priority", -1e9, 1e9);
  if (section.has("restart")) job.restart = time_of(section, "restart");
  if (section.has("nodes")) job.nodes = nodes_of(section, snapshot);
  JobBounds bounds;
  if (section.has("min_gpus")) bounds.least = count_of(section, "min_gpus", 1, 100000);
  if (section.has("max_gpus")) bounds.most = count_of(section, "max_gpus", bounds.least, 100000);
  instance.bounds.push_back(bounds);
  if (const auto promised = section.maybe_boolean("promised")) job.promised = *promised;
  read_times(section, tables, job, instance);
  return job;
}

// Affinity by reference: a job runs on the nodes of another.
void follow_references(Instance& instance,
                       const std::map<std::string, std::pair<std::string, SourcePos>>& with) {
  std::vector<JobState>& jobs = instance.snapshot.jobs;
  const auto find = [&](const std::string& id) {
    return std::ranges::find_if(jobs, [&](const JobState& job) { return job.id == id; });
  };
  for (JobState& job : jobs) {
    std::string at = job.id;
    std::size_t steps = 0;
    while (with.contains(at)) {
      const auto& [next, place] = with.at(at);
      if (find(next) == jobs.end()) throw InputError(place, "there is no job '" + next + "'");
      if (++steps > jobs.size()) throw InputError(place, "job '" + job.id + "' follows itself in a circle");
      at = next;
    }
    if (at != job.id && job.nodes.empty()) job.nodes = find(at)->nodes;
  }
}

}  // namespace

Seconds time_of(TomlSection& section, std::string_view key) {
  return parse_seconds(section.text(key), section.where(key));
}

double within(TomlSection& section, std::string_view key, double low, double high) {
  const double value = section.number(key);
  if (value >= low && value <= high) return value;
  throw InputError(section.where(key), "`" + std::string(key) + "` must be between " + std::to_string(low) +
                                           " and " + std::to_string(high));
}

std::int32_t count_of(TomlSection& section, std::string_view key, std::int32_t low, std::int32_t high) {
  const std::int64_t value = section.integer(key);
  if (value >= low && value <= high) return static_cast<std::int32_t>(value);
  throw InputError(section.where(key), "`" + std::string(key) + "` must be between " + std::to_string(low) +
                                           " and " + std::to_string(high));
}

std::int32_t type_named(const Snapshot& snapshot, const std::string& name, const SourcePos& at) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < snapshot.types.size(); ++i) {
    if (fold_name(snapshot.types[i].name) == fold_name(name)) return static_cast<std::int32_t>(i);
    names.push_back(snapshot.types[i].name);
  }
  throw InputError(at, "unknown machine '" + name + "'", name_hint(name, names));
}

InstanceTables tables_of(TomlSection& root, const std::string& file) {
  const std::filesystem::path folder = std::filesystem::path(file).parent_path();
  const auto table = [&](const std::string& name) {
    return CsvTable::read_file((folder / root.text(name)).string());
  };
  InstanceTables tables;
  if (root.has("times")) tables.times = table("times");
  if (root.has("throughputs")) tables.throughputs.emplace(table("throughputs"));
  return tables;
}

void read_jobs(TomlSection& root, const InstanceTables& tables, Instance& instance) {
  std::map<std::string, std::pair<std::string, SourcePos>> with;
  std::set<std::string> ids;
  for (TomlSection& section : root.sections("job")) {
    if (instance.snapshot.jobs.size() >= kMostJobs) throw InputError(section.where(), "too many jobs");
    JobState job = read_job(section, tables, instance);
    if (section.has("with")) with[job.id] = {section.text("with"), section.where("with")};
    section.finish();
    if (!ids.insert(job.id).second) {
      throw InputError(section.where("id"), "two jobs are called '" + job.id + "'");
    }
    instance.jobs_at.push_back(section.where());
    instance.snapshot.jobs.push_back(std::move(job));
  }
  if (instance.snapshot.jobs.empty()) throw InputError(root.where(), "there is no [[job]]");
  follow_references(instance, with);
}

}  // namespace sextant::capacity
