#include "queue_records.h"

#include <nlohmann/json.hpp>
#include <ostream>

#include "sextant/cli/run.h"
#include "sextant/report/queue_report.h"

namespace sextant {
namespace {

// With a target, the number of servers that the model asks for; the replay then says what they would do.
std::optional<Sizing> size_for_targets(const QueueArgs& args, const JobRecords& records,
                                       Diagnosis& diagnosis) {
  const WaitTargets targets = targets_of(args);
  if (!targets.any()) return std::nullopt;
  if (!args.servers.empty()) {
    throw InputError({"--servers"}, "is what a target looks for", "--max-servers limits it");
  }
  const bool markov = diagnosis.model == QueueModel::mm1 || diagnosis.model == QueueModel::mmc;
  const Sizing sizing =
      least_servers(markov ? QueueModel::mmc : QueueModel::ggc, diagnosis.load, targets, args.max_servers);
  change_servers(diagnosis, records, sizing.result.load.servers);
  return sizing;
}

void write_diagnosis(const Io& io, const Globals& globals, const Diagnosis& diagnosis,
                     const std::optional<Sizing>& sizing) {
  const Format format = globals.chosen_format();
  if (format == Format::json) {
    Json json = to_json(diagnosis);
    if (sizing) json["sizing"] = {{"feasible", sizing->feasible}, {"tightest", sizing->tightest}};
    write_json(io, globals, json);
    return;
  }
  Table answer = diagnosis_table(diagnosis);
  if (sizing) answer.notes.push_back(sizing_table({*sizing}).notes.back());
  if (format == Format::csv) return write_table(io, globals, answer);  // one table, as scripts expect
  write_table(io, globals, fits_table(diagnosis));
  io.out << '\n';
  write_table(io, globals, tests_table(diagnosis));
  io.out << '\n';
  write_table(io, globals, answer);
}

int exit_code(const Io& io, const Diagnosis& diagnosis, const std::optional<Sizing>& sizing) {
  if (sizing && !sizing->feasible) {
    warn(io,
         "infeasible with " + std::to_string(sizing->result.load.servers) + " servers: " + sizing->tightest);
    return kInfeasible;
  }
  if (diagnosis.result.stable) return kDone;
  warn(io, overload_text(diagnosis.result));
  return kInfeasible;
}

}  // namespace

int queue_of_records(const QueueArgs& args, const Io& io, const Globals& globals) {
  if (args.servers.size() > 1) throw InputError({"--servers"}, "one number of servers for --records");
  const JobRecords records =
      job_records(CsvTable::read_file(*args.records),
                  {args.arrival_column, args.interarrival_column, args.service_column});
  Diagnosis diagnosis = diagnose(records, {.servers = args.servers.empty() ? 1 : args.servers[0],
                                           .level = args.level,
                                           .seed = static_cast<std::uint64_t>(globals.seed)});
  const auto sizing = size_for_targets(args, records, diagnosis);
  for (const auto& warning : diagnosis.warnings) warn(io, warning);
  write_diagnosis(io, globals, diagnosis, sizing);
  return exit_code(io, diagnosis, sizing);
}

}  // namespace sextant
