// `sacct --json`: numbers stand alone or, in later versions of Slurm, beside whether they are set.
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "json_list.h"
#include "slurm_job.h"

namespace sextant::jobs {
namespace {

// 60, or {"set": true, "infinite": false, "number": 60}.
std::optional<double> set_number(const Json* value) {
  if (value == nullptr) return std::nullopt;
  if (value->is_number()) return value->get<double>();
  const Json* set = member_at(*value, "set");
  const Json* infinite = member_at(*value, "infinite");
  const Json* number = member_at(*value, "number");
  const bool stated = set == nullptr || !set->is_boolean() || set->get<bool>();
  const bool bounded = infinite == nullptr || !infinite->is_boolean() || !infinite->get<bool>();
  if (!stated || !bounded || number == nullptr || !number->is_number()) return std::nullopt;
  return number->get<double>();
}

// Seconds since 1970; 0 where something has not happened.
std::optional<double> moment(const Json& job, std::string_view path, const SourcePos& at) {
  const auto seconds = set_number(member_at(job, path));
  if (!seconds || *seconds == 0) return std::nullopt;
  if (*seconds > 0 && *seconds <= kLatestSecond) return seconds;
  throw InputError(at, "the job's '" + std::string(path) + "' is no time", "seconds since 1970");
}

SlurmResources resources_at(const Json& job, std::string_view path, const SourcePos& at) {
  SlurmResources resources;
  const Json* list = member_at(job, path);
  if (list == nullptr || !list->is_array()) return resources;
  for (const Json& each : *list) {
    const std::string type = text_at(each, "type");
    const double count = set_number(member_at(each, "count")).value_or(0);
    if (!(count >= 0 && count <= 1e9)) throw InputError(at, "a count of '" + type + "' is out of bounds");
    if (type == "mem") resources.memory_gib = count / 1024;  // of MiB
    const bool gpus = type == "gres" && text_at(each, "name").starts_with("gpu");
    if (gpus && (count > kMostTraceGpus || count != static_cast<double>(static_cast<std::int64_t>(count))))
      throw InputError(at, "the job has no whole number of GPUs up to 1e6");
    resources.add(type, text_at(each, "name"), count);
  }
  return resources;
}

// "COMPLETED", or a list of it and its flags.
std::string state_of(const Json& job) {
  const Json* current = member_at(job, "state.current");
  if (current != nullptr && current->is_array() && !current->empty() && current->front().is_string())
    return current->front().get<std::string>();
  return text_at(job, "state.current");
}

std::string id_of(const Json& job, const SourcePos& at) {
  const auto id = set_number(member_at(job, "job_id"));
  if (!id) throw InputError(at, "the job has no job_id");
  const double array = set_number(member_at(job, "array.job_id")).value_or(0);
  const auto task = set_number(member_at(job, "array.task_id"));
  const auto whole = [](double value) { return std::to_string(static_cast<std::int64_t>(value)); };
  if (!(*id >= 0 && *id <= 1e15 && array >= 0 && array <= 1e15))
    throw InputError(at, "job_id is out of bounds");
  const bool of_array = array > 0 && task && *task >= 0 && *task <= 1e15;
  return of_array ? whole(array) + "_" + whole(*task) : whole(*id);
}

SlurmJob job_of(const Json& json, const SourcePos& at) {
  SlurmJob job{.id = id_of(json, at), .state = state_of(json), .user = text_at(json, "user"), .at = at};
  if (job.user.empty()) job.user = text_at(json, "association.user");
  const auto start = moment(json, "time.start", at);
  const auto end = moment(json, "time.end", at);
  job.submit_s = moment(json, "time.submission", at);
  job.start_s = start;
  job.started = start.has_value();
  job.ended = end.has_value();
  const auto elapsed = set_number(member_at(json, "time.elapsed"));
  job.elapsed_s = elapsed && *elapsed > 0 ? *elapsed : (start && end ? *end - *start : 0);
  const double minutes = set_number(member_at(json, "time.limit")).value_or(0);
  if (!(std::abs(job.elapsed_s) <= kLatestSecond && std::abs(minutes) <= kLatestSecond))
    throw InputError(at, "a time of the job is out of bounds");
  job.limit_s = std::max(0.0, minutes * 60);
  job.allocated = resources_at(json, "tres.allocated", at);
  job.requested = resources_at(json, "tres.requested", at);
  return job;
}

}  // namespace

void read_sacct_json(const std::string& text, const std::string& file, SlurmTrace& trace) {
  for_each_item(text, file, "jobs", [&](const Json& item, std::int64_t line) {
    trace.add(job_of(item, {file, static_cast<int>(line), 1}));
  });
}

}  // namespace sextant::jobs
