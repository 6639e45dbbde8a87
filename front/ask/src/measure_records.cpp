#include <filesystem>

#include "sextant/ask/measure.h"
#include "sextant/records/job_fields.h"
#include "sextant/records/record_store.h"

namespace sextant::ask {
namespace {

double as_double(std::int64_t value) {
  return static_cast<double>(value);
}

void add_configuration(std::vector<records::Field>& fields, const measure::Trial& trial) {
  fields.insert(fields.end(), {{"strategy", trial.strategy},
                               {"workers", as_double(trial.workers)},
                               {"servers", as_double(trial.servers)},
                               {"transport", trial.transport},
                               {"bucket_mb", trial.bucket_mb},
                               {"threads", as_double(trial.threads)}});
}

records::Record step_record(const measure::TrialResult& result, const Provenance& from) {
  std::vector<records::Field> fields = records::job_fields(result.trial.job, "local");
  add_configuration(fields, result.trial);
  fields.insert(fields.end(), {{"step_s", result.iteration_s.median},
                               {"step_p10_s", result.iteration_s.p10},
                               {"step_p90_s", result.iteration_s.p90},
                               {"input_s", result.breakdown.input_s},
                               {"forward_s", result.breakdown.forward_s},
                               {"backward_s", result.breakdown.backward_s},
                               {"communication_s", result.breakdown.communication_s},
                               {"exposed_communication_s", result.breakdown.exposed_communication_s},
                               {"optimizer_s", result.breakdown.optimizer_s},
                               {"payload_bytes", result.bytes_per_iteration.payload},
                               {"samples_per_s", result.samples_per_s},
                               {"loss", result.loss},
                               {"peak_rss_bytes", result.peak_rss_bytes},
                               {"iterations", as_double(result.measured)}});
  if (result.accuracy) fields.push_back({"accuracy", *result.accuracy});
  return new_record("training-step", std::move(fields), from);
}

records::Record operator_record(const measure::Trial& trial, const measure::OperatorTiming& op,
                                const Provenance& from) {
  std::vector<records::Field> fields = records::job_fields(trial.job, "local");
  fields.insert(fields.end(), {{"threads", as_double(trial.threads)},
                               {"node", as_double(op.node)},
                               {"name", op.name},
                               {"type", op.type},
                               {"flop", op.flop},
                               {"bytes", op.bytes},
                               {"op_forward_s", op.forward_s},
                               {"op_backward_s", op.backward_s}});
  return new_record("operator", std::move(fields), from);
}

}  // namespace

void check_record_file(const std::string& db) {
  std::error_code unknown;
  const bool there = std::filesystem::exists(db, unknown);
  records::RecordStore::open(db, {.mode = records::StoreMode::read_write});
  if (!there) std::filesystem::remove(db, unknown);
}

std::int64_t append_measurements(const std::string& db, const std::vector<measure::TrialResult>& results,
                                 const Provenance& from) {
  std::vector<records::Record> records;
  for (const measure::TrialResult& result : results) {
    if (!result.last.outcome.completed) continue;
    if (!result.trial.operators) {
      records.push_back(step_record(result, from));
      continue;
    }
    for (const measure::OperatorTiming& op : result.last.outcome.ranks.front().operators) {
      records.push_back(operator_record(result.trial, op, from));
    }
  }
  auto store = records::RecordStore::open(db, {.mode = records::StoreMode::read_write});
  return store.append(records).added;
}

}  // namespace sextant::ask
