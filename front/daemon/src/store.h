// The state of the daemon in an SQLite file: written ahead and synced, so that what was acknowledged survives
// a kill or a loss of power. One connection writes, on one thread; another reads for clients.
#pragma once

#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "books.h"
#include "sextant/records/sqlite.h"

namespace sextant::daemon {

// A line of history.
struct DaemonEvent {
  std::int64_t seq = 0;
  Seconds at{};
  std::string kind;  // "submitted", "decided", "intended", "done", …
  std::string job = {};
  std::string step = {};  // its key
  std::string text = {};  // for people: the reason
};

struct EventQuery {
  std::int64_t after = 0;
  std::int64_t limit = 100;
  std::string job = {};
};

// The first answer to a request that may come again.
struct FirstAnswer {
  std::string asked;  // hash of the request
  int status = 200;
  std::string body;
};

// How a step ended.
enum class StepEnd { done, failed, dropped };

class Store {
 public:
  explicit Store(const std::string& path);  // made if it is not there

  [[nodiscard]] const std::string& path() const { return writer_.path(); }
  [[nodiscard]] Books load();
  // All that `write` puts is there afterwards, or nothing. SystemError with the path where it cannot be.
  void commit(const std::function<void()>& write);

  // Within `commit`.
  void put(const DaemonJob& job);
  void put(const DaemonNode& node);
  void put(const Step& step);
  void end(const Step& step, StepEnd how);
  void replace_machines(const Books& books);
  void put_count(const std::string& name, double value);
  void add(const DaemonEvent& event);
  void remember(const std::string& key, const FirstAnswer& answer);
  [[nodiscard]] std::optional<FirstAnswer> remembered(const std::string& key);

  [[nodiscard]] std::vector<DaemonEvent> events(const EventQuery& query);

 private:
  records::Database writer_;
  records::Database reader_;
  std::mutex reading_;
};

}  // namespace sextant::daemon
