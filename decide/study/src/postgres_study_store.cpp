// A study in PostgreSQL: many machines. A waiting trial is taken with FOR UPDATE SKIP LOCKED, so that two
// workers never wait for one row; proposals are made one at a time under an advisory lock of the study;
// claims end by the server's clock, whatever those of the workers say.
#include <algorithm>

#include "postgres.h"
#include "read_trials.h"
#include "sextant/core/secrets.h"
#include "sextant/core/text.h"
#include "trial_row.h"

namespace sextant::study {
namespace {

constexpr const char* kLockClass = "1398297689";  // of all our advisory locks: "SXTY"

constexpr const char* kPostgresTables =
    "CREATE TABLE sextant_study(id SERIAL PRIMARY KEY, name TEXT NOT NULL UNIQUE, text TEXT NOT NULL, "
    "identity TEXT NOT NULL);"
    "CREATE TABLE sextant_trial(study INTEGER NOT NULL REFERENCES sextant_study(id), "
    "number BIGINT NOT NULL, configuration TEXT NOT NULL, state TEXT NOT NULL, "
    "result TEXT NOT NULL DEFAULT '', worker TEXT NOT NULL, claim_ends TIMESTAMPTZ NOT NULL, "
    "attempts BIGINT NOT NULL, reason TEXT NOT NULL, proposed_at TIMESTAMPTZ NOT NULL, "
    "finished_at TIMESTAMPTZ, PRIMARY KEY(study, number));"
    "CREATE INDEX sextant_trial_running ON sextant_trial(study, number) WHERE state = 'running';"
    "CREATE TABLE sextant_layout(version INTEGER NOT NULL);";

std::string utc(const std::string& column) {
  return "coalesce(to_char(" + column + " AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.MS\"Z\"'), '')";
}

std::string mine() {
  return "WHERE study = $1 AND number = $2 AND worker = $3 AND state = 'running'";
}

std::string trial_columns() {
  return "number, configuration, state, result, worker, claim_ends >= clock_timestamp(), attempts, reason, " +
         utc("proposed_at") + ", " + utc("finished_at") + " ";
}

class PostgresStudyStore final : public StudyStore {
 public:
  PostgresStudyStore(const std::string& url, const StudyStoreOptions& options)
      : options_(options),
        lease_(number_text(static_cast<double>(options.claim_lasts.count()) / 1000)),
        connection_(url, options.patience) {
    connection_.transaction([&] { prepare(); });
  }

  void open_study(const StudyHeader& header) override {
    connection_.transaction([&] {
      connection_.query(
          "INSERT INTO sextant_study(name, text, identity) VALUES($1, $2, $3) ON CONFLICT DO NOTHING",
          {header.name, header.text, header.identity});
    });
    const StudyHeader stored = find(header.name);
    if (stored.identity != header.identity && trials().empty()) return redefine_study(header);
    check_same_study(stored, header);
  }

  void redefine_study(const StudyHeader& header) override {
    connection_.transaction([&] {
      connection_.query("UPDATE sextant_study SET text = $2, identity = $3 WHERE name = $1",
                        {header.name, header.text, header.identity});
    });
    find(header.name);
  }

  std::vector<StudyHeader> studies() override {
    std::vector<StudyHeader> all;
    connection_.transaction([&] {
      all.clear();
      const PostgresRows rows =
          connection_.query("SELECT name, text, identity FROM sextant_study ORDER BY id");
      for (int i = 0; i < rows.count(); ++i)
        all.push_back({rows.text(i, 0), rows.text(i, 1), rows.text(i, 2)});
    });
    return all;
  }

  const std::vector<StoredTrial>& trials() override {
    connection_.transaction([&] { read_trials(); });
    return read_.all();
  }

  std::optional<StoredTrial> claim(const std::string& worker, const Propose& propose) override {
    std::optional<StoredTrial> claimed;
    connection_.transaction([&] {
      claimed = claim_waiting(worker);
      if (claimed) return;
      connection_.query("SELECT pg_advisory_xact_lock($1::integer, $2::integer)", {kLockClass, study_});
      read_trials();
      if (std::optional<StoredTrial> next = propose(read_.all())) claimed = insert(worker, *next);
    });
    return claimed;
  }

  bool heartbeat(std::int64_t number, const std::string& worker) override {
    bool kept = false;
    connection_.transaction([&] {
      kept =
          connection_
              .query(
                  "UPDATE sextant_trial SET claim_ends = clock_timestamp() + $4::float8 * interval '1 s' " +
                      mine(),
                  {study_, std::to_string(number), worker, lease_})
              .changed() == 1;
    });
    return kept;
  }

  bool finish(const StoredTrial& trial) override {
    if (trial.outcome.state == explore::TrialState::running)
      throw std::logic_error("a trial that runs is not finished");
    bool done = false;
    connection_.transaction([&] { done = write_result(trial); });
    return done;
  }

  void give_back(std::int64_t number, const std::string& worker) override {
    connection_.transaction([&] {
      connection_.query(
          "UPDATE sextant_trial SET worker = '', claim_ends = '-infinity', attempts = attempts - 1 " + mine(),
          {study_, std::to_string(number), worker});
    });
  }

  std::chrono::milliseconds claim_lasts() const override { return options_.claim_lasts; }

  std::unique_ptr<StudyStore> another() const override {
    auto other = std::make_unique<PostgresStudyStore>(connection_.url(), options_);
    other->study_ = study_;
    return other;
  }

 private:
  // Two that begin at once would both make the tables: one waits for the other.
  void prepare() {
    connection_.query("SELECT pg_advisory_xact_lock($1::integer, 0)", {kLockClass});
    const bool there = connection_.query("SELECT to_regclass('sextant_layout') IS NOT NULL").yes(0, 0);
    if (!there) {
      for (const std::string& statement : split(kPostgresTables, ';')) {
        if (!statement.empty()) connection_.query(statement);
      }
      connection_.query("INSERT INTO sextant_layout(version) VALUES($1)", {std::to_string(kStudyLayout)});
    }
    const PostgresRows layout = connection_.query("SELECT version FROM sextant_layout");
    const std::int64_t version = layout.count() == 1 ? layout.integer(0, 0) : 0;
    if (version == kStudyLayout) return;
    throw InputError({shown_address(connection_.url())},
                     "the store has layout " + std::to_string(version) + "; this program knows " +
                         std::to_string(kStudyLayout),
                     version > kStudyLayout ? "update sextant" : "");
  }

  StudyHeader find(const std::string& name) {
    StudyHeader header{.name = name};
    connection_.transaction([&] {
      const PostgresRows rows =
          connection_.query("SELECT id, text, identity FROM sextant_study WHERE name = $1", {name});
      if (rows.count() == 0) throw InputError({}, "there is no study '" + name + "' in the store");
      if (study_ != rows.text(0, 0)) read_.clear();
      study_ = rows.text(0, 0);
      header.text = rows.text(0, 1);
      header.identity = rows.text(0, 2);
    });
    return header;
  }

  void read_trials() {
    std::string running;
    for (const std::int64_t number : read_.running()) {
      running += (running.empty() ? "" : ",") + std::to_string(number);
    }
    const PostgresRows rows =
        connection_.query("SELECT " + trial_columns() +
                              "FROM sextant_trial WHERE study = $1 AND (number > $2 OR number = "
                              "ANY($3::bigint[])) ORDER BY number",
                          {study_, std::to_string(read_.last()), "{" + running + "}"});
    const std::string where = shown_address(connection_.url());
    for (int i = 0; i < rows.count(); ++i) read_.put(trial_at(rows, i), where);
  }

  [[nodiscard]] StoredTrial trial_at(const PostgresRows& rows, int row) const {
    StoredTrial trial;
    trial.number = rows.integer(row, 0);
    const std::string where =
        shown_address(connection_.url()) + " (trial " + std::to_string(trial.number) + ")";
    read_configuration(rows.text(row, 1), trial, where);
    trial.outcome.state = state_of(rows.text(row, 2), where);
    read_result(rows.text(row, 3), trial, where);
    trial.worker = rows.text(row, 4);
    trial.claimed = trial.outcome.state == explore::TrialState::running && rows.yes(row, 5);
    trial.attempts = rows.integer(row, 6);
    trial.reason = rows.text(row, 7);
    trial.proposed_at = rows.text(row, 8);
    trial.finished_at = rows.text(row, 9);
    return trial;
  }

  std::optional<StoredTrial> claim_waiting(const std::string& worker) {
    while (true) {
      const PostgresRows rows = connection_.query(
          "SELECT " + trial_columns() +
              "FROM sextant_trial WHERE study = $1 AND state = 'running' AND claim_ends < clock_timestamp() "
              "ORDER BY number LIMIT 1 FOR UPDATE SKIP LOCKED",
          {study_});
      if (rows.count() == 0) return {};
      StoredTrial trial = trial_at(rows, 0);
      if (trial.attempts >= options_.most_attempts) {
        write_result(poisoned(trial));
        continue;
      }
      connection_.query(
          "UPDATE sextant_trial SET worker = $3, attempts = attempts + 1, "
          "claim_ends = clock_timestamp() + $4::float8 * interval '1 s' WHERE study = $1 AND number = $2",
          {study_, std::to_string(trial.number), worker, lease_});
      trial.worker = worker;
      trial.claimed = true;
      ++trial.attempts;
      return trial;
    }
  }

  StoredTrial insert(const std::string& worker, StoredTrial trial) {
    trial.number = read_.last() + 1;
    const PostgresRows rows = connection_.query(
        "INSERT INTO sextant_trial(study, number, configuration, state, worker, claim_ends, attempts, "
        "reason, "
        "proposed_at) VALUES($1, $2, $3, 'running', $4, clock_timestamp() + $5::float8 * interval '1 s', 1, "
        "$6, clock_timestamp()) RETURNING " +
            utc("proposed_at"),
        {study_, std::to_string(trial.number), configuration_json(trial), worker, lease_, trial.reason});
    trial.worker = worker;
    trial.attempts = 1;
    trial.claimed = true;
    trial.proposed_at = rows.text(0, 0);
    return trial;
  }

  // A commit whose answer was lost is asked for again: the second time it is there already.
  bool write_result(const StoredTrial& trial) {
    const std::string result = result_json(trial);
    const std::vector<std::string> values = {study_, std::to_string(trial.number), trial.worker,
                                             state_text(trial.outcome.state), result};
    const PostgresRows updated = connection_.query(
        "UPDATE sextant_trial SET state = $4, result = $5, finished_at = clock_timestamp() " + mine(),
        values);
    if (updated.changed() == 1) return true;
    return connection_
               .query(
                   "SELECT 1 FROM sextant_trial WHERE study = $1 AND number = $2 AND worker = $3 AND "
                   "state = $4 AND result = $5",
                   values)
               .count() == 1;
  }

  StudyStoreOptions options_;
  std::string lease_;  // seconds
  PostgresConnection connection_;
  std::string study_ = "0";
  ReadTrials read_;
};

}  // namespace

std::unique_ptr<StudyStore> open_postgres_study(const std::string& url, const StudyStoreOptions& options) {
  return std::make_unique<PostgresStudyStore>(url, options);
}

}  // namespace sextant::study
