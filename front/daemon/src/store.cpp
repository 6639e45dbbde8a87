#include "store.h"

#include <fcntl.h>

#include <nlohmann/json.hpp>
#include <random>

#include "books_json.h"
#include "sextant/core/error.h"
#include "sextant/core/whole_file.h"

namespace sextant::daemon {
namespace {

constexpr std::int64_t kApplicationId = 0x53585444;  // "SXTD"
constexpr std::int64_t kVersion = 1;
constexpr const char* kWhat = "the state of a daemon";
constexpr auto kPatience = std::chrono::seconds(10);

constexpr const char* kSchema = R"(
CREATE TABLE fact(name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
CREATE TABLE job(seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, asked TEXT NOT NULL, standing TEXT NOT NULL) STRICT;
CREATE TABLE node(name TEXT PRIMARY KEY, standing TEXT NOT NULL) STRICT;
CREATE TABLE machine(name TEXT PRIMARY KEY, standing TEXT NOT NULL) STRICT;
CREATE TABLE step(seq INTEGER PRIMARY KEY, intent TEXT NOT NULL, outcome TEXT NOT NULL) STRICT;
CREATE INDEX step_by_outcome ON step(outcome, seq);
CREATE TABLE event(seq INTEGER PRIMARY KEY AUTOINCREMENT, at REAL NOT NULL, kind TEXT NOT NULL, job TEXT NOT NULL,
  step TEXT NOT NULL, text TEXT NOT NULL) STRICT;
CREATE INDEX event_by_job ON event(job, seq);
CREATE TABLE answer(key TEXT PRIMARY KEY, asked TEXT NOT NULL, status INTEGER NOT NULL, body TEXT NOT NULL) STRICT;
)";

// So that steps of two states do not have the same key in one cluster.
std::string random_name() {
  std::random_device device;
  std::string name;
  for (int i = 0; i < 8; ++i) name += "0123456789abcdef"[device() % 16];
  return name;
}

void create_state(records::Database& database) {
  database.execute(kSchema);
  records::Statement insert(database, "INSERT INTO fact(name, value) VALUES('name', ?1)");
  insert.bind(1, random_name()).step();
  database.execute("PRAGMA application_id = " + std::to_string(kApplicationId));
  database.execute("PRAGMA user_version = " + std::to_string(kVersion));
}

void prepare_state(records::Database& database) {
  database.use_write_ahead_log();
  database.execute("PRAGMA synchronous = FULL");
  records::Transaction look(database, records::Lock::write);
  if (database.integer("SELECT count(*) FROM sqlite_schema") == 0) {
    create_state(database);
  } else if (database.integer("PRAGMA application_id") != kApplicationId) {
    throw InputError({database.path()}, "this is a database of another program",
                     "name the state of a daemon");
  } else if (database.integer("PRAGMA user_version") != kVersion) {
    throw InputError({database.path()}, "the state was written by another version of sextant");
  }
  look.commit();
}

records::Database& prepared(records::Database& database) {
  prepare_state(database);
  return database;
}

double fact(records::Database& database, const std::string& name) {
  records::Statement query(database, "SELECT value FROM fact WHERE name = ?1");
  query.bind(1, name);
  return query.step() ? std::stod(query.text(0)) : 0;
}

template <class Read>
void each_row(const records::Database& database, const std::string& sql, const Read& read) {
  records::Statement query(database, sql);
  while (query.step()) read(query);
}

// Jobs bring commands and variables, which are nobody else's business.
const std::string& for_owner_alone(const std::string& path) {
  const OpenFile made(::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  return path;  // one that cannot be made is SQLite's to complain about
}

}  // namespace

Store::Store(const std::string& path)
    : writer_(for_owner_alone(path), records::OpenHow::create, kPatience, kWhat),
      reader_(prepared(writer_).path(), records::OpenHow::existing, kPatience, kWhat) {}

Books Store::load() {
  Books books;
  try {
    books.name = writer_.text("SELECT value FROM fact WHERE name = 'name'");
    books.spent = Dollars{fact(writer_, "spent")};
    books.decisions = static_cast<std::int64_t>(fact(writer_, "decisions"));
    books.next_step = writer_.integer("SELECT max(seq) FROM step") + 1;
    each_row(writer_, "SELECT name, standing FROM machine ORDER BY name", [&](const records::Statement& row) {
      books.machines[row.text(0)] = machine_of(Json::parse(row.text(1)));
    });
    each_row(writer_, "SELECT standing FROM node ORDER BY rowid", [&](const records::Statement& row) {
      books.nodes.push_back(node_of(Json::parse(row.text(0))));
    });
    each_row(writer_, "SELECT asked, standing FROM job ORDER BY seq", [&](const records::Statement& row) {
      DaemonJob job;
      job.order = order_of(Json::parse(row.text(0)));
      read_standing(Json::parse(row.text(1)), job);
      books.add(std::move(job));
    });
    each_row(writer_, "SELECT seq, intent FROM step WHERE outcome = '' ORDER BY seq",
             [&](const records::Statement& row) {
               books.steps.push_back(step_of(Json::parse(row.text(1))));
               books.steps.back().seq = row.integer(0);
             });
  } catch (const Json::exception& error) {
    throw InputError({path()}, "the state is damaged: " + json_reason(error.what()),
                     "restore it from a copy");
  }
  return books;
}

void Store::commit(const std::function<void()>& write) {
  records::Transaction transaction(writer_, records::Lock::write);
  write();
  transaction.commit();
}

void Store::put(const DaemonJob& job) {
  records::Statement put(writer_,
                         "INSERT INTO job(seq, id, asked, standing) VALUES(?1, ?2, ?3, ?4) "
                         "ON CONFLICT(seq) DO UPDATE SET standing = ?4");
  put.bind(1, job.seq).bind(2, job.order.id).bind(3, order_json(job.order).dump());
  put.bind(4, standing_json(job).dump()).step();
}

void Store::put(const DaemonNode& node) {
  records::Statement put(writer_,
                         "INSERT INTO node(name, standing) VALUES(?1, ?2) "
                         "ON CONFLICT(name) DO UPDATE SET standing = ?2");
  put.bind(1, node.name).bind(2, node_json(node).dump()).step();
}

void Store::put(const Step& step) {
  records::Statement put(writer_, "INSERT INTO step(seq, intent, outcome) VALUES(?1, ?2, '')");
  put.bind(1, step.seq).bind(2, step_json(step).dump()).step();
}

void Store::end(const Step& step, StepEnd how) {
  records::Statement put(writer_, "UPDATE step SET outcome = ?2 WHERE seq = ?1");
  const char* outcome = how == StepEnd::done ? "done" : how == StepEnd::failed ? "failed" : "dropped";
  put.bind(1, step.seq).bind(2, std::string(outcome)).step();
}

void Store::replace_machines(const Books& books) {
  writer_.execute("DELETE FROM machine");
  writer_.execute("DELETE FROM node");
  records::Statement insert(writer_, "INSERT INTO machine(name, standing) VALUES(?1, ?2)");
  for (const auto& [name, machine] : books.machines) {
    insert.bind(1, name).bind(2, machine_json(machine).dump()).step();
    insert.reset();
  }
  for (const DaemonNode& node : books.nodes) put(node);
}

void Store::put_count(const std::string& name, double value) {
  records::Statement put(
      writer_, "INSERT INTO fact(name, value) VALUES(?1, ?2) ON CONFLICT(name) DO UPDATE SET value = ?2");
  put.bind(1, name).bind(2, Json(value).dump()).step();
}

void Store::add(const DaemonEvent& event) {
  records::Statement insert(writer_,
                            "INSERT INTO event(at, kind, job, step, text) VALUES(?1, ?2, ?3, ?4, ?5)");
  insert.bind(1, event.at.value).bind(2, event.kind).bind(3, event.job).bind(4, event.step);
  insert.bind(5, event.text).step();
}

void Store::remember(const std::string& key, const FirstAnswer& answer) {
  records::Statement insert(writer_, "INSERT INTO answer(key, asked, status, body) VALUES(?1, ?2, ?3, ?4)");
  insert.bind(1, key).bind(2, answer.asked).bind(3, std::int64_t{answer.status}).bind(4, answer.body).step();
}

std::optional<FirstAnswer> Store::remembered(const std::string& key) {
  records::Statement query(writer_, "SELECT asked, status, body FROM answer WHERE key = ?1");
  query.bind(1, key);
  if (!query.step()) return {};
  return FirstAnswer{query.text(0), static_cast<int>(query.integer(1)), query.text(2)};
}

std::vector<DaemonEvent> Store::events(const EventQuery& query) {
  const std::lock_guard lock(reading_);
  const std::string where = query.job.empty() ? "" : "AND job = ?3 ";
  records::Statement rows(reader_, "SELECT seq, at, kind, job, step, text FROM event WHERE seq > ?1 " +
                                       where + "ORDER BY seq LIMIT ?2");
  rows.bind(1, query.after).bind(2, query.limit);
  if (!query.job.empty()) rows.bind(3, query.job);
  std::vector<DaemonEvent> events;
  while (rows.step()) {
    events.push_back({.seq = rows.integer(0),
                      .at = Seconds{rows.number(1)},
                      .kind = rows.text(2),
                      .job = rows.text(3),
                      .step = rows.text(4),
                      .text = rows.text(5)});
  }
  return events;
}

}  // namespace sextant::daemon
