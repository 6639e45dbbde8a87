#include "postgres.h"

#include <algorithm>
#include <array>
#include <thread>

#include "postgres_api.h"
#include "sextant/core/error.h"
#include "sextant/core/secrets.h"
#include "sextant/core/text.h"

namespace sextant::study {
namespace {

using std::chrono::steady_clock;

constexpr auto kFirstPause = std::chrono::milliseconds(50);
constexpr auto kLongestPause = std::chrono::milliseconds(2000);

// A server notices within half a minute that a machine with an open transaction was cut off, and ends one
// whose process was stopped: it may hold the lock under which proposals are made.
constexpr const char* kSession =
    "SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3; "
    "SET idle_in_transaction_session_timeout = '10min'; SET client_min_messages = warning; "
    "SET synchronous_commit = on; SET client_encoding = 'UTF8'";

// Class of an SQLSTATE that says that the server, not the statement, is at fault, and may be well again soon:
// connections (08), transactions that were rolled back (40), shutdown and crash (57P).
bool passes(const std::string& state) {
  return state.empty() || state.starts_with("08") || state.starts_with("40") || state.starts_with("57P");
}

}  // namespace

int PostgresRows::count() const {
  return pq().ntuples(result_.get());
}
int PostgresRows::changed() const {
  return static_cast<int>(to_integer(pq().cmd_tuples(result_.get())).value_or(0));
}
std::string PostgresRows::text(int row, int column) const {
  return {pq().getvalue(result_.get(), row, column),
          static_cast<std::size_t>(pq().getlength(result_.get(), row, column))};
}
std::int64_t PostgresRows::integer(int row, int column) const {
  return to_integer(text(row, column)).value_or(0);
}
bool PostgresRows::yes(int row, int column) const {
  return text(row, column) == "t";
}
void PostgresRows::Clear::operator()(pg_result* result) const {
  pq().clear(result);
}
void PostgresConnection::Finish::operator()(pg_conn* connection) const {
  pq().finish(connection);
}

PostgresConnection::PostgresConnection(std::string url, std::chrono::milliseconds patience)
    : url_(std::move(url)), shown_(shown_address(url_)), patience_(patience) {
  connect();
  if (pq().status(handle_.get()) != CONNECTION_OK) fail_to_connect();
  pq().clear(pq().exec(handle_.get(), kSession));
}

// Words of the address override those before it.
void PostgresConnection::connect() {
  const std::array<const char*, 5> names = {"connect_timeout", "tcp_user_timeout",
                                            "fallback_application_name", "dbname", nullptr};
  const std::array<const char*, 5> values = {"10", "30000", "sextant", url_.c_str(), nullptr};
  handle_.reset(pq().connectdb_params(names.data(), values.data(), 1));
  if (!handle_) throw std::bad_alloc();
  pq().set_notice_processor(
      handle_.get(), [](void*, const char*) {}, nullptr);  // a library does not print
}

std::string PostgresConnection::said() const {
  std::string words(trim(pq().error_message(handle_.get())));
  std::ranges::replace_if(
      words, [](char c) { return c == '\n' || c == '\t'; }, ' ');
  return without_passwords(std::move(words), url_);
}

// libpq gives no code here, only words; servers that speak another language are taken for absent.
void PostgresConnection::fail_to_connect() const {
  const std::string words = said();
  const auto says = [&](const char* part) { return words.find(part) != std::string::npos; };
  if (pq().connection_needs_password(handle_.get()) == 1 || says("no password supplied")) {
    throw InputError({shown_}, "the server wants a password",
                     "set PGPASSWORD, or keep it in ~/.pgpass (mode 0600)");
  }
  if (says("password authentication failed")) throw InputError({shown_}, "wrong user or password");
  if (says("does not exist")) throw InputError({shown_}, words, "createdb makes a database");
  if (says("invalid") || says("missing"))
    throw InputError({shown_}, words, "postgresql://user@host/database");
  throw SystemError(shown_ + ": no connection: " + words);
}

void PostgresConnection::fail(const pg_result* result) const {
  const char* code = pq().result_error_field(result, PG_DIAG_SQLSTATE);
  const std::string state = code == nullptr ? "" : code;
  if (pq().status(handle_.get()) != CONNECTION_OK || passes(state)) throw Gone{};
  const std::string words = said();
  if (state == "42501" || state == "25006") {
    throw SystemError(shown_ + ": may not be written: " + words);
  }
  throw SystemError(shown_ + ": " + words);  // 53: no disk, no memory, too many connections
}

PostgresRows PostgresConnection::query(const std::string& sql, const std::vector<std::string>& values) {
  std::vector<const char*> words;
  for (const std::string& value : values) words.push_back(value.c_str());
  PostgresRows rows(nullptr);
  pg_result* result = pq().exec_params(handle_.get(), sql.c_str(), static_cast<int>(words.size()), nullptr,
                                       words.data(), nullptr, nullptr, 0);
  rows = PostgresRows(result);
  const ExecStatusType status = pq().result_status(result);
  if (status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK) fail(result);
  return rows;
}

void PostgresConnection::roll_back() {
  if (pq().transaction_status(handle_.get()) != PQTRANS_IDLE)
    pq().clear(pq().exec(handle_.get(), "ROLLBACK"));
}

void PostgresConnection::reconnect() {
  const auto end = steady_clock::now() + patience_;
  roll_back();
  for (auto pause = kFirstPause; pq().status(handle_.get()) != CONNECTION_OK;
       pause = std::min(2 * pause, kLongestPause)) {
    if (steady_clock::now() >= end) {
      throw SystemError(shown_ + ": the server went away and did not come back: " + said());
    }
    std::this_thread::sleep_for(pause);
    connect();
    if (pq().status(handle_.get()) == CONNECTION_OK) pq().clear(pq().exec(handle_.get(), kSession));
  }
}

void PostgresConnection::transaction(const std::function<void()>& body) {
  const auto end = steady_clock::now() + patience_;
  while (true) {
    try {
      query("BEGIN");
      body();
      query("COMMIT");
      return;
    } catch (const Gone&) {
      if (steady_clock::now() >= end) throw SystemError(shown_ + ": gives no answer: " + said());
      reconnect();
    } catch (...) {
      roll_back();
      throw;
    }
  }
}

}  // namespace sextant::study
