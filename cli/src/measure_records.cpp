#include "measure_records.h"

#include "sextant/records/job_fields.h"
#include "sextant/records/record_store.h"

namespace sextant {
namespace {

TrainingJob job_of(const Trial& trial) {
  TrainingJob job;
  job.network = trial.net;
  job.sizes = trial.sizes;
  job.optimizer = trial.optimizer;
  job.stack = "local";
  return job;
}

double number(std::int64_t value) {
  return static_cast<double>(value);
}

void add_configuration(std::vector<Field>& fields, const Trial& trial) {
  fields.insert(fields.end(), {{"strategy", trial.strategy},
                               {"workers", number(trial.workers)},
                               {"servers", number(trial.servers)},
                               {"transport", trial.transport},
                               {"bucket_mb", trial.bucket_mb},
                               {"threads", number(trial.threads)}});
}

Record step_record(const TrialResult& result, const Provenance& from) {
  std::vector<Field> fields = job_fields(job_of(result.trial), "local");
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
                               {"iterations", number(result.measured)}});
  if (result.accuracy) fields.push_back({"accuracy", *result.accuracy});
  return new_record("training-step", std::move(fields), from);
}

Record operator_record(const Trial& trial, const OperatorTiming& op, const Provenance& from) {
  std::vector<Field> fields = job_fields(job_of(trial), "local");
  fields.insert(fields.end(), {{"threads", number(trial.threads)},
                               {"node", number(op.node)},
                               {"name", op.name},
                               {"type", op.type},
                               {"flop", op.flop},
                               {"bytes", op.bytes},
                               {"op_forward_s", op.forward_s},
                               {"op_backward_s", op.backward_s}});
  return new_record("operator", std::move(fields), from);
}

}  // namespace

std::int64_t append_measurements(const std::string& db, std::span<const TrialResult> results,
                                 const Provenance& from) {
  std::vector<Record> records;
  for (const TrialResult& result : results) {
    if (!result.last.outcome.completed) continue;
    if (!result.trial.operators) {
      records.push_back(step_record(result, from));
      continue;
    }
    for (const OperatorTiming& op : result.last.outcome.ranks.front().operators) {
      records.push_back(operator_record(result.trial, op, from));
    }
  }
  auto store = RecordStore::open(db, {.mode = StoreMode::read_write});
  return store.append(records).added;
}

}  // namespace sextant
