// A study in an SQLite file: one machine, several processes. Claims end by this machine's clock. Proposals
// are made outside transactions, since they may take seconds in which others must be able to say that they
// live; one that comes too late is made again.
#include "read_trials.h"
#include "sextant/records/sqlite.h"
#include "trial_row.h"

namespace sextant::study {
namespace {

constexpr std::int64_t kApplicationId = 0x53585459;  // "SXTY"
constexpr const char* kWhat = "a store of studies";

constexpr const char* kSqliteTables =
    "CREATE TABLE study(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, text TEXT NOT NULL, "
    "identity TEXT NOT NULL) STRICT;"
    "CREATE TABLE trial(study INTEGER NOT NULL REFERENCES study(id), number INTEGER NOT NULL, "
    "configuration TEXT NOT NULL, state TEXT NOT NULL, result TEXT NOT NULL DEFAULT '', "
    "worker TEXT NOT NULL, claim_ends_ms INTEGER NOT NULL, attempts INTEGER NOT NULL, "
    "reason TEXT NOT NULL, proposed_at TEXT NOT NULL, finished_at TEXT NOT NULL DEFAULT '', "
    "PRIMARY KEY(study, number)) STRICT, WITHOUT ROWID;";
// Whoever asks for a trial looks for one whose claim is over: among those that run, not among all.
constexpr const char* kSqliteIndex =
    "CREATE INDEX IF NOT EXISTS trial_running ON trial(study, number) WHERE state = 'running'";

constexpr const char* kTrialColumns =
    "number, configuration, state, result, worker, claim_ends_ms, attempts, reason, proposed_at, "
    "finished_at ";
constexpr const char* kNow = "strftime('%Y-%m-%dT%H:%M:%fZ', 'now')";

std::int64_t now_ms() {
  using std::chrono::system_clock;
  return std::chrono::duration_cast<std::chrono::milliseconds>(system_clock::now().time_since_epoch())
      .count();
}

void prepare(records::Database& database, bool create) {
  records::Transaction look(database, create ? records::Lock::write : records::Lock::none);
  const bool ours = database.integer("PRAGMA application_id") == kApplicationId;
  const bool empty = database.integer("SELECT count(*) FROM sqlite_schema") == 0;
  const std::int64_t layout = database.integer("PRAGMA user_version");
  if (ours && layout != kStudyLayout) {
    throw InputError({database.path()},
                     "the store has layout " + std::to_string(layout) + "; this program knows " +
                         std::to_string(kStudyLayout),
                     layout > kStudyLayout ? "update sextant" : "");
  }
  if (!ours && !empty) {
    throw InputError({database.path()}, "this is a database of another program", "name a store of studies");
  }
  if (!ours && !create) throw InputError({database.path()}, "the store is empty: there is no study in it");
  if (!ours) {
    database.execute(kSqliteTables);
    database.execute("PRAGMA application_id = " + std::to_string(kApplicationId));
    database.execute("PRAGMA user_version = " + std::to_string(kStudyLayout));
  }
  if (create) database.execute(kSqliteIndex);
  look.commit();
}

class SqliteStudyStore final : public StudyStore {
 public:
  SqliteStudyStore(const std::string& path, const StudyStoreOptions& options)
      : options_(options),
        database_(path, options.create ? records::OpenHow::create : records::OpenHow::existing,
                  options.patience, kWhat) {
    prepare(database_, options.create);
    if (!options.create) return;
    database_.use_write_ahead_log();
    database_.execute("PRAGMA synchronous = FULL");  // a commit is on disk
    database_.execute("PRAGMA foreign_keys = ON");
  }

  void open_study(const StudyHeader& header) override {
    const std::optional<StudyHeader> stored = find(header.name);
    if (stored) {
      if (stored->identity != header.identity && trials().empty()) return redefine_study(header);
      check_same_study(*stored, header);
      return;
    }
    records::Transaction transaction(database_, records::Lock::write);
    records::Statement insert(
        database_, "INSERT INTO study(name, text, identity) VALUES(?1, ?2, ?3) ON CONFLICT DO NOTHING");
    insert.bind(1, header.name).bind(2, header.text).bind(3, header.identity).step();
    transaction.commit();
    check_same_study(find(header.name).value(), header);  // somebody may have been faster
  }

  void redefine_study(const StudyHeader& header) override {
    records::Statement update(database_, "UPDATE study SET text = ?2, identity = ?3 WHERE name = ?1");
    update.bind(1, header.name).bind(2, header.text).bind(3, header.identity).step();
    find(header.name);
  }

  std::vector<StudyHeader> studies() override {
    std::vector<StudyHeader> all;
    records::Statement query(database_, "SELECT name, text, identity FROM study ORDER BY id");
    while (query.step()) all.push_back({query.text(0), query.text(1), query.text(2)});
    return all;
  }

  const std::vector<StoredTrial>& trials() override {
    const std::string select = std::string("SELECT ") + kTrialColumns + "FROM trial WHERE study = ?1 AND ";
    records::Statement one(database_, select + "number = ?2");
    for (const std::int64_t number : std::set(read_.running())) {
      one.bind(1, study_).bind(2, number);
      if (one.step()) read_.put(trial_at(one), database_.path());
      one.reset();
    }
    records::Statement rest(database_, select + "number > ?2 ORDER BY number");
    rest.bind(1, study_).bind(2, read_.last());
    while (rest.step()) read_.put(trial_at(rest), database_.path());
    return read_.all();
  }

  std::optional<StoredTrial> claim(const std::string& worker, const Propose& propose) override {
    while (true) {
      if (auto again = claim_waiting(worker)) return again;
      const std::vector<StoredTrial>& all = trials();
      std::optional<StoredTrial> next = propose(all);
      if (!next) return {};
      if (auto stored = insert(worker, *next, read_.last())) return stored;
    }
  }

  bool heartbeat(std::int64_t number, const std::string& worker) override {
    records::Statement update(
        database_,
        "UPDATE trial SET claim_ends_ms = ?4 WHERE study = ?1 AND number = ?2 AND worker = ?3 "
        "AND state = 'running'");
    update.bind(1, study_).bind(2, number).bind(3, worker).bind(4, claim_end()).step();
    return database_.changes() == 1;
  }

  bool finish(const StoredTrial& trial) override {
    if (trial.outcome.state == explore::TrialState::running)
      throw std::logic_error("a trial that runs is not finished");
    records::Statement update(database_,
                              std::string("UPDATE trial SET state = ?4, result = ?5, finished_at = ") + kNow +
                                  " WHERE study = ?1 AND number = ?2 AND worker = ?3 AND state = 'running'");
    update.bind(1, study_).bind(2, trial.number).bind(3, trial.worker);
    update.bind(4, state_text(trial.outcome.state)).bind(5, result_json(trial)).step();
    return database_.changes() == 1;
  }

  void give_back(std::int64_t number, const std::string& worker) override {
    records::Statement update(database_,
                              "UPDATE trial SET worker = '', claim_ends_ms = 0, attempts = attempts - 1 "
                              "WHERE study = ?1 AND number = ?2 AND worker = ?3 AND state = 'running'");
    update.bind(1, study_).bind(2, number).bind(3, worker).step();
  }

  std::chrono::milliseconds claim_lasts() const override { return options_.claim_lasts; }

  std::unique_ptr<StudyStore> another() const override {
    auto other = std::make_unique<SqliteStudyStore>(database_.path(), options_);
    other->study_ = study_;
    return other;
  }

 private:
  [[nodiscard]] std::int64_t claim_end() const { return now_ms() + options_.claim_lasts.count(); }

  std::optional<StudyHeader> find(const std::string& name) {
    records::Statement query(database_, "SELECT id, text, identity FROM study WHERE name = ?1");
    query.bind(1, name);
    if (!query.step()) return {};
    if (study_ != query.integer(0)) read_.clear();
    study_ = query.integer(0);
    return StudyHeader{name, query.text(1), query.text(2)};
  }

  [[nodiscard]] StoredTrial trial_at(const records::Statement& row) const {
    StoredTrial trial;
    trial.number = row.integer(0);
    const std::string where = database_.path() + " (trial " + std::to_string(trial.number) + ")";
    read_configuration(row.text(1), trial, where);
    trial.outcome.state = state_of(row.text(2), where);
    read_result(row.text(3), trial, where);
    trial.worker = row.text(4);
    trial.claimed = trial.outcome.state == explore::TrialState::running && row.integer(5) >= now_ms();
    trial.attempts = row.integer(6);
    trial.reason = row.text(7);
    trial.proposed_at = row.text(8);
    trial.finished_at = row.text(9);
    return trial;
  }

  // The first trial that runs and whose claim is over.
  std::optional<StoredTrial> waiting() {
    records::Statement query(database_, std::string("SELECT ") + kTrialColumns +
                                            "FROM trial WHERE study = ?1 AND state = 'running' AND "
                                            "claim_ends_ms < ?2 ORDER BY number LIMIT 1");
    query.bind(1, study_).bind(2, now_ms());
    return query.step() ? std::optional(trial_at(query)) : std::nullopt;
  }

  std::optional<StoredTrial> claim_waiting(const std::string& worker) {
    while (waiting()) {  // a look without the lock, since there is usually none
      records::Transaction transaction(database_, records::Lock::write);
      std::optional<StoredTrial> trial = waiting();
      if (!trial) return {};
      const bool given_up = trial->attempts >= options_.most_attempts;
      if (given_up) {
        finish(poisoned(*trial));
      } else {
        take(*trial, worker);
      }
      transaction.commit();
      if (!given_up) return trial;
    }
    return {};
  }

  void take(StoredTrial& trial, const std::string& worker) {
    records::Statement update(database_,
                              "UPDATE trial SET worker = ?3, claim_ends_ms = ?4, attempts = attempts + 1 "
                              "WHERE study = ?1 AND number = ?2");
    update.bind(1, study_).bind(2, trial.number).bind(3, worker).bind(4, claim_end()).step();
    trial.worker = worker;
    trial.claimed = true;
    ++trial.attempts;
  }

  // Nothing where somebody else has added a trial since `last`.
  std::optional<StoredTrial> insert(const std::string& worker, StoredTrial trial, std::int64_t last) {
    records::Transaction transaction(database_, records::Lock::write);
    const std::string study = std::to_string(study_);
    if (database_.integer("SELECT max(number) FROM trial WHERE study = " + study) != last) return {};
    trial.number = last + 1;
    trial.worker = worker;
    trial.attempts = 1;
    trial.claimed = true;
    trial.proposed_at = database_.text(std::string("SELECT ") + kNow);
    records::Statement add(
        database_,
        "INSERT INTO trial(study, number, configuration, state, worker, claim_ends_ms, attempts, "
        "reason, proposed_at) VALUES(?1, ?2, ?3, 'running', ?4, ?5, 1, ?6, ?7)");
    add.bind(1, study_).bind(2, trial.number).bind(3, configuration_json(trial)).bind(4, worker);
    add.bind(5, claim_end()).bind(6, trial.reason).bind(7, trial.proposed_at).step();
    transaction.commit();
    return trial;
  }

  StudyStoreOptions options_;
  records::Database database_;
  std::int64_t study_ = 0;
  ReadTrials read_;
};

}  // namespace

std::unique_ptr<StudyStore> open_sqlite_study(const std::string& path, const StudyStoreOptions& options) {
  return std::make_unique<SqliteStudyStore>(path, options);
}

}  // namespace sextant::study
