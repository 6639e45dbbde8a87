// Recorded jobs: which model they allow, and its answer beside their replay.
#include "queue_forms.h"
#include "queue_texts.h"
#include "sextant/core/csv.h"

namespace sextant::ask {
namespace {

// With a target, the number of servers that the model asks for; the replay then says what they would do.
std::optional<queueing::Sizing> size_for_targets(const QueueQuestion& question,
                                                 const queueing::JobRecords& records,
                                                 queueing::Diagnosis& diagnosis) {
  const queueing::WaitTargets targets = queue_targets(question);
  if (!targets.any()) return std::nullopt;
  const queueing::Sizing sizing =
      least_servers(sized_model(diagnosis.model), diagnosis.load, targets, question.max_servers);
  change_servers(diagnosis, records, sizing.result.load.servers);
  return sizing;
}

}  // namespace

QueueAnswer queue_of_records(const QueueQuestion& question) {
  // A long file is not read for a question that has no answer.
  if (question.servers.size() > 1)
    throw InputError(at_field("servers"),
                     "recorded jobs are replayed with one number of servers, not several",
                     "ask once for each number");
  if (queue_targets(question).any()) refuse_servers_beside_target(question);
  const queueing::JobRecords records =
      queueing::job_records(CsvTable::read_file(*question.records),
                            {question.arrival_column, question.interarrival_column, question.service_column});
  RecordedQueue recorded{diagnose(records, {.servers = question.servers.empty() ? 1 : question.servers[0],
                                            .level = question.level,
                                            .seed = question.seed}),
                         {}};
  recorded.sizing = size_for_targets(question, records, recorded.diagnosis);
  if (recorded.sizing && !recorded.sizing->feasible) {
    const std::string warning = shortfall_text(*recorded.sizing);
    return {std::move(recorded), false, {warning}};
  }
  if (recorded.diagnosis.result.stable) return {std::move(recorded)};
  const std::string warning = overload_text(recorded.diagnosis.result);
  return {std::move(recorded), false, {warning}};
}

}  // namespace sextant::ask
