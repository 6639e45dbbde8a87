#include "kill_harness.h"

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <ctime>
#include <exception>
#include <map>
#include <memory>
#include <set>
#include <sstream>
#include <stdexcept>

#include "child.h"
#include "sextant/core/rng.h"
#include "sextant/records/record_store.h"

namespace sextant::records::test {
namespace {

// Which record of which writer; its contents follow from these, so that they can be checked.
struct Task {
  std::string id;
  int writer = 0;
  int number = 0;
};

Record record_of(const Task& task) {
  // Now and then more than a page, so that a kill can fall between the pages of one commit.
  const std::size_t size = task.number % 8 == 0 ? 16'384 : 40;
  return {task.id,
          "kill-test",
          {{"writer", static_cast<double>(task.writer)},
           {"number", static_cast<double>(task.number)},
           {"log", std::string(size, static_cast<char>('a' + task.number % 26))}},
          {}};
}

// "begin ID NUMBER", "new ID" or "old ID" once acknowledged, "error TEXT".
[[noreturn]] void write_until_killed(const std::string& path, Task task, int to) {
  try {
    auto store = RecordStore::open(path, {StoreMode::read_write});
    while (true) {
      write_all(to, "begin " + task.id + " " + std::to_string(task.number) + "\n");
      const bool added = store.append(record_of(task)).added == 1;
      write_all(to, (added ? "new " : "old ") + task.id + "\n");
      task = {new_record_id(), task.writer, task.number + 1};
    }
  } catch (const std::exception& error) {
    write_all(to, std::string("error ") + error.what() + "\n");
  }
  _exit(1);
}

// One writer over all its lives, as seen from outside.
class Writer {
 public:
  Writer(std::string path, int index) : path_(std::move(path)), next_{new_record_id(), index, 0} {}

  void start() {
    std::array<int, 2> ends{};
    if (pipe(ends.data()) != 0) throw std::runtime_error("no pipe");
    pid_ = fork();
    if (pid_ < 0) throw std::runtime_error("no process");
    if (pid_ == 0) write_until_killed(path_, next_, ends[1]);
    close(ends[1]);
    from_ = ends[0];
    retrying_ = begun_;
  }

  void wait_for(std::uint64_t acknowledgements) {
    const std::size_t goal = acknowledged_.size() + acknowledgements;
    while (acknowledged_.size() < goal && hear()) {
    }
  }

  void kill_now() const { kill(pid_, SIGKILL); }

  void bury() {
    while (hear()) {
    }
    close(from_);
    int status = 0;
    waitpid(pid_, &status, 0);
    if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGKILL) faults_.emplace_back("a writer ended by itself");
    unfinished_line_.clear();
  }

  [[nodiscard]] const std::map<std::string, int>& acknowledged() const { return acknowledged_; }
  // The record whose outcome is unknown; it is the next one to be appended in any case.
  [[nodiscard]] const Task& next() const { return next_; }
  [[nodiscard]] const std::vector<std::string>& faults() const { return faults_; }
  [[nodiscard]] std::int64_t repeated() const { return repeated_; }
  [[nodiscard]] std::int64_t repeated_found() const { return repeated_found_; }

 private:
  bool hear() {
    std::array<char, 4096> buffer{};
    const auto got = read(from_, buffer.data(), buffer.size());
    if (got <= 0) return false;
    unfinished_line_.append(buffer.data(), static_cast<std::size_t>(got));
    for (std::size_t end = 0; (end = unfinished_line_.find('\n')) != std::string::npos;) {
      understand(unfinished_line_.substr(0, end));
      unfinished_line_.erase(0, end + 1);
    }
    return true;
  }

  void understand(const std::string& line) {
    std::istringstream words(line);
    std::string word;
    std::string id;
    words >> word >> id;
    if (word == "begin") {
      next_.id = id;
      words >> next_.number;
      begun_ = true;
    } else if (word == "new" || word == "old") {
      acknowledge(id, word == "old");
    } else {
      faults_.push_back(line);
    }
  }

  void acknowledge(const std::string& id, bool was_there) {
    if (was_there && !retrying_) faults_.push_back("a fresh record was there already: " + id);
    repeated_ += retrying_ ? 1 : 0;
    repeated_found_ += was_there ? 1 : 0;
    acknowledged_[id] = next_.number;
    next_ = {new_record_id(), next_.writer, next_.number + 1};
    begun_ = retrying_ = false;
  }

  std::string path_;
  Task next_;
  bool begun_ = false;     // next_ was begun and not acknowledged
  bool retrying_ = false;  // the life before began it
  pid_t pid_ = 0;
  int from_ = -1;
  std::string unfinished_line_;
  std::map<std::string, int> acknowledged_;  // id, number
  std::int64_t repeated_ = 0;
  std::int64_t repeated_found_ = 0;
  std::vector<std::string> faults_;
};

void pause(std::uint64_t microseconds) {
  const timespec time{0, static_cast<long>(microseconds) * 1000};
  nanosleep(&time, nullptr);
}

using Writers = std::vector<std::unique_ptr<Writer>>;

void check_record_of(const Writers& writers, const Record& record, std::vector<std::string>& faults) {
  for (std::size_t w = 0; w < writers.size(); ++w) {
    const auto& known = writers[w]->acknowledged();
    const auto it = known.find(record.id);
    const bool pending = record.id == writers[w]->next().id;
    if (it == known.end() && !pending) continue;
    const int number = pending ? writers[w]->next().number : it->second;
    if (!same_measurement(record, record_of({record.id, static_cast<int>(w), number}))) {
      faults.push_back("record " + record.id + " has other contents");
    }
    return;
  }
  faults.push_back("record " + record.id + " was never begun");
}

std::vector<std::string> check_store(const std::string& path, const Writers& writers) {
  const auto store = RecordStore::open(path, {StoreMode::read_write});
  std::vector<std::string> faults = store.faults();
  std::set<std::string> ids;
  std::set<std::string> tasks;
  for (const Record& record : store.read()) {
    const std::string task = *text_field(record, "writer") + "/" + *text_field(record, "number");
    if (!ids.insert(record.id).second || !tasks.insert(task).second) faults.push_back("twice: " + task);
    check_record_of(writers, record, faults);
  }
  for (const auto& writer : writers) {
    for (const auto& [id, number] : writer->acknowledged()) {
      if (!ids.contains(id)) faults.push_back("lost: " + id + ", number " + std::to_string(number));
    }
  }
  return faults;
}

// From "before the file is open" to "after some records", down to any point inside one append.
void run_life(const Writers& writers, Rng& rng) {
  constexpr std::uint64_t kMostRecords = 6;
  constexpr std::uint64_t kLongestPause = 4000;  // microseconds; a few appends
  for (const auto& writer : writers) writer->start();
  writers.front()->wait_for(rng.below(kMostRecords));
  pause(rng.below(kLongestPause));
  for (const auto& writer : writers) writer->kill_now();
  for (const auto& writer : writers) writer->bury();
}

void append_to(std::vector<std::string>& all, const std::vector<std::string>& more) {
  all.insert(all.end(), more.begin(), more.end());
}

}  // namespace

KillReport run_kills(const KillPlan& plan) {
  Rng rng = Rng(plan.seed).stream("kill-moments");
  Writers writers;
  for (int w = 0; w < plan.writers; ++w) writers.push_back(std::make_unique<Writer>(plan.path, w));
  KillReport report;
  while (report.kills < plan.kills && report.faults.empty()) {
    run_life(writers, rng);
    report.kills += plan.writers;
    // Not every time, so that the next writer too has to recover what the killed one left.
    const bool look = rng.uniform() < 0.5 || report.kills >= plan.kills;
    if (look) append_to(report.faults, check_store(plan.path, writers));
  }
  for (const auto& writer : writers) {
    append_to(report.faults, writer->faults());
    report.acknowledged += static_cast<std::int64_t>(writer->acknowledged().size());
    report.repeated += writer->repeated();
    report.repeated_found += writer->repeated_found();
  }
  return report;
}

}  // namespace sextant::records::test
