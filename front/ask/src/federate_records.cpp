#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>

#include "sextant/ask/federate.h"
#include "sextant/records/record_store.h"

namespace sextant::ask {
namespace {

using federated::Federation;

struct ScoreColumn {
  const char* name;
  double FederatedScore::*number = nullptr;
  std::int64_t FederatedScore::*count = nullptr;
};
constexpr std::array<ScoreColumn, 18> kScoreColumns = {{
    {"accuracy", &FederatedScore::accuracy},
    {"best_accuracy", &FederatedScore::best_accuracy},
    {"least_recall", &FederatedScore::least_recall},
    {"loss", &FederatedScore::loss},
    {"rounds_made", nullptr, &FederatedScore::rounds},
    {"rounds_to_target", &FederatedScore::rounds_to_target},
    {"client_s_to_target", &FederatedScore::client_seconds_to_target},
    {"client_s", &FederatedScore::client_seconds},
    {"round_s", &FederatedScore::round_s},
    {"rule_s", &FederatedScore::rule_s},
    {"sent_bytes", &FederatedScore::sent_bytes},
    {"received_bytes", &FederatedScore::received_bytes},
    {"attack_success", &FederatedScore::attack_success},
    {"attacking", nullptr, &FederatedScore::attacking},
    {"honest", nullptr, &FederatedScore::honest},
    {"flagged", nullptr, &FederatedScore::flagged},
    {"falsely_flagged", nullptr, &FederatedScore::falsely_flagged},
    {"excluded", nullptr, &FederatedScore::excluded},
}};

// What tells one run from another: the federation without how its processes talk.
std::string configuration_of(Federation f) {
  const Federation usual;
  f.hosts = usual.hosts;
  f.threads = usual.threads;
  f.transport = usual.transport;
  f.timeout_s = usual.timeout_s;
  f.spans = usual.spans;
  f.traceparent = usual.traceparent;
  return to_json(f).dump();
}

// A model that has diverged has a loss that is no number, which records do not take.
constexpr double kNoNumber = 1e300;
double storable(double value) {
  return std::isfinite(value) ? value : kNoNumber;
}
double stored(double value) {
  return value < kNoNumber ? value : std::numeric_limits<double>::infinity();
}

std::vector<records::Field> configuration_fields(const Federation& f) {
  return {{"configuration", configuration_of(f)},
          {"net", f.net},
          {"data", f.data},
          {"sampler", f.sampler},
          {"strategy", f.strategy},
          {"rule", f.rule},
          {"attack", f.attack},
          {"attackers", f.attackers},
          {"clients", static_cast<double>(f.clients)},
          {"seed", static_cast<double>(f.seed)}};
}

records::Record run_record(const FederatedRun& run, const Provenance& from) {
  std::vector<records::Field> fields = configuration_fields(run.federation);
  for (const ScoreColumn& column : kScoreColumns) {
    if (column.number != nullptr) fields.push_back({column.name, storable(run.score.*column.number)});
    if (column.count != nullptr)
      fields.push_back({column.name, static_cast<double>(run.score.*column.count)});
  }
  fields.push_back({"accuracies", Json(run.score.accuracies).dump()});
  fields.push_back({"client_seconds", Json(run.score.client_seconds_at).dump()});
  return records::new_record("federated-run", std::move(fields), from);
}

records::Record round_record(const Federation& f, const federated::RoundNote& note, const Provenance& from) {
  std::vector<records::Field> fields = configuration_fields(f);
  fields.insert(fields.end(), {{"round", static_cast<double>(note.round)},
                               {"accuracy", note.test.accuracy()},
                               {"loss", storable(note.test.loss)},
                               {"train_loss", storable(note.train_loss)},
                               {"round_s", note.seconds.total},
                               {"clients_s", note.seconds.clients},
                               {"rule_s", note.seconds.rule},
                               {"evaluation_s", note.seconds.evaluation},
                               {"client_s", note.client_seconds},
                               {"sent_bytes", note.sent_bytes},
                               {"received_bytes", note.received_bytes},
                               {"answered", static_cast<double>(note.answered.size())},
                               {"flagged", Json(note.flagged).dump()},
                               {"attacking", Json(note.attacking).dump()},
                               {"recall", Json(note.test.recall()).dump()},
                               {"confusion", Json(note.test.confusion).dump()}});
  return records::new_record("federated-round", std::move(fields), from);
}

std::vector<double> number_list(const records::Record& record, const char* name) {
  std::vector<double> values;
  for (const Json& item : parse_json(records::text_field(record, name).value_or("[]"), "record")) {
    values.push_back(item.is_number() ? item.get<double>() : 0);
  }
  return values;
}

}  // namespace

void append_federated_run(const std::string& db, const FederatedRun& run, const Provenance& from) {
  std::vector<records::Record> all;
  for (const auto& note : run.outcome.rounds) all.push_back(round_record(run.federation, note, from));
  all.push_back(run_record(run, from));
  records::RecordStore::open(db, {.mode = records::StoreMode::read_write}).append(all);
}

std::optional<FederatedScore> recorded_score(const std::string& db, const Federation& federation,
                                             double target) {
  std::error_code unknown;
  if (!std::filesystem::exists(db, unknown)) return {};
  const std::string wanted = configuration_of(federation);
  for (const records::Record& record : records::RecordStore::open(db).read({.kind = "federated-run"})) {
    if (records::text_field(record, "configuration") != wanted) continue;
    FederatedScore score;
    for (const ScoreColumn& column : kScoreColumns) {
      const std::optional<double> value = to_number(records::text_field(record, column.name).value_or(""));
      if (!value) continue;
      if (column.number != nullptr) score.*column.number = stored(*value);
      if (column.count != nullptr) score.*column.count = static_cast<std::int64_t>(*value);
    }
    score.accuracies = number_list(record, "accuracies");
    score.client_seconds_at = number_list(record, "client_seconds");
    score.client_seconds_at.resize(score.accuracies.size());
    reach_target(target, score);
    return score;
  }
  return {};
}

}  // namespace sextant::ask
