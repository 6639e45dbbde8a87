#include "trial_row.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "sextant/core/json.h"
#include "sextant/core/secrets.h"
#include "sextant/core/text.h"

namespace sextant::study {
namespace {

struct NamedState {
  explore::TrialState state;
  const char* name;
};
constexpr std::array<NamedState, 4> kStates{{{explore::TrialState::running, "running"},
                                             {explore::TrialState::completed, "completed"},
                                             {explore::TrialState::failed, "failed"},
                                             {explore::TrialState::timed_out, "timed-out"}}};

[[noreturn]] void damaged(const std::string& where, const std::string& what) {
  throw InputError({where}, "the store is damaged: " + what, "restore the store from a copy");
}

double number_of(const Json& json, const std::string& where) {
  if (!json.is_number() || !std::isfinite(json.get<double>())) damaged(where, "a value is not a number");
  return json.get<double>();
}

std::string text_of(const Json& json, const std::string& where) {
  if (!json.is_string()) damaged(where, "a value is not a text");
  return json.get<std::string>();
}

Json stored_json(const std::string& text, const std::string& where) {
  try {
    return parse_json(text, where);
  } catch (const InputError& error) {
    damaged(where, error.message());
  }
}

// Output of programs need not be UTF-8, which JSON must be.
std::string dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// "host=db password=..." is how libpq's own programs write it: as a file it would carry the password in its
// name.
bool is_connection_string(const std::string& location) {
  const std::vector<std::string> words = split(location, ' ');
  return std::ranges::any_of(words, [](const std::string& word) {
    return std::ranges::any_of(std::array<std::string_view, 4>{"host=", "hostaddr=", "dbname=", "password="},
                               [&](std::string_view key) { return word.starts_with(key); });
  });
}

}  // namespace

std::string state_text(explore::TrialState state) {
  for (const NamedState& named : kStates) {
    if (named.state == state) return named.name;
  }
  throw std::logic_error("a trial in no known state");
}

explore::TrialState state_of(const std::string& text, const std::string& where) {
  for (const NamedState& named : kStates) {
    if (text == named.name) return named.state;
  }
  damaged(where, "there is no state '" + text + "'");
}

std::string configuration_json(const StoredTrial& trial) {
  return dump(Json(trial.levels));
}

std::string result_json(const StoredTrial& trial) {
  Json json = {{"metrics", Json::object()}, {"cost", trial.cost}, {"seconds", trial.seconds}};
  for (const auto& [name, value] : trial.outcome.metrics) json["metrics"][name] = value;
  if (trial.outcome.bound) json["bound"] = *trial.outcome.bound;
  if (!trial.outcome.message.empty()) json["message"] = trial.outcome.message;
  return dump(json);
}

void read_configuration(const std::string& json, StoredTrial& trial, const std::string& where) {
  const Json list = stored_json(json, where);
  if (!list.is_array()) damaged(where, "a configuration is no list");
  for (const Json& item : list) trial.levels.push_back(text_of(item, where));
}

void read_result(const std::string& text, StoredTrial& trial, const std::string& where) {
  if (text.empty()) return;
  const Json json = stored_json(text, where);
  if (!json.is_object() || !json.contains("metrics") || !json["metrics"].is_object()) {
    damaged(where, "a result has no metrics");
  }
  for (const auto& [name, value] : json["metrics"].items())
    trial.outcome.metrics[name] = number_of(value, where);
  if (json.contains("cost")) trial.cost = number_of(json["cost"], where);
  if (json.contains("seconds")) trial.seconds = number_of(json["seconds"], where);
  if (json.contains("bound")) trial.outcome.bound = number_of(json["bound"], where);
  if (json.contains("message")) trial.outcome.message = text_of(json["message"], where);
}

void check_same_study(const StudyHeader& stored, const StudyHeader& given) {
  if (stored.identity == given.identity) return;
  const std::vector<std::string> before = split(stored.identity, '\n');
  const std::vector<std::string> now = split(given.identity, '\n');
  std::size_t at = 0;
  while (at < before.size() && at < now.size() && before[at] == now[at]) ++at;
  const auto line = [at](const std::vector<std::string>& lines) {
    return at < lines.size() && !lines[at].empty() ? "'" + lines[at] + "'" : std::string("nothing");
  };
  throw InputError(
      {}, "study '" + given.name + "' began with " + line(before) + " and now has " + line(now),
      "give the changed study another name, or go on with its trials: explore, or explore ask, with `force`");
}

StoredTrial poisoned(StoredTrial trial) {
  trial.outcome.state = explore::TrialState::failed;
  trial.outcome.message = "given up: " + std::to_string(trial.attempts) + " workers died while they ran it";
  return trial;
}

std::unique_ptr<StudyStore> open_study_store(const std::string& location, const StudyStoreOptions& options) {
  if (location.empty())
    throw InputError(at_field("store"), "no store was named", "give a path or a PostgreSQL URL");
  if (location.starts_with("postgresql://") || location.starts_with("postgres://")) {
    return open_postgres_study(location, options);
  }
  if (location.find("://") != std::string::npos || is_connection_string(location)) {
    throw InputError(at_field("store"), "'" + shown_address(location) + "' is no address of a store",
                     "a path of a file, or postgresql://user@host/database");
  }
  return open_sqlite_study(location, options);
}

}  // namespace sextant::study
