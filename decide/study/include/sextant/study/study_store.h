// Where a study's trials live: an SQLite file, or PostgreSQL by URL, where many machines work on one study. A
// trial is claimed by one worker at a time, which renews its claim; a claim that is not renewed goes back to
// the queue. A finished trial is on disk before finish() returns.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sextant/explore/trial.h"

namespace sextant::study {

// A trial with the account of its claims. Stores keep what was chosen as texts, since a study may go on after
// its space has changed: `configuration` is empty until somebody places the texts in a space, see
// search_trials().
struct StoredTrial : explore::Trial {
  std::vector<std::string> levels = {};  // text of each factor, "" where it is absent
  double seconds = 0;
  std::int64_t attempts = 0;     // claims, that of a dead worker included
  std::string worker = {};       // empty while it waits for one
  bool claimed = false;          // running: its claim is good; false: it goes to whoever asks next
  std::string reason = {};       // why it was proposed
  std::string proposed_at = {};  // UTC, "2024-05-01T10:00:00.123Z", as the store's clock has it
  std::string finished_at = {};
};

struct StudyHeader {
  std::string name;
  std::string text = {};      // of the study file
  std::string identity = {};  // what must not change while it goes on, a line each
};

// One for each thread: see another().
class StudyStore {
 public:
  virtual ~StudyStore() = default;
  // Creates the study or finds it. InputError where one of that name has another identity, and trials.
  virtual void open_study(const StudyHeader& header) = 0;
  // From now on it is this, trials stay.
  virtual void redefine_study(const StudyHeader& header) = 0;
  [[nodiscard]] virtual std::vector<StudyHeader> studies() = 0;
  // By number: 1, 2, …; as they are now. Good until the store is asked again.
  [[nodiscard]] virtual const std::vector<StoredTrial>& trials() = 0;

  // One proposal at a time over all workers: `propose` sees every trial and gives the next, or nothing.
  // The new trial is claimed by this worker. A trial whose claim ran out is given again before a new one is
  // made; one whose workers died too often is recorded as failed instead.
  using Propose = std::function<std::optional<StoredTrial>(const std::vector<StoredTrial>&)>;
  [[nodiscard]] virtual std::optional<StoredTrial> claim(const std::string& worker,
                                                         const Propose& propose) = 0;
  // False: the claim was lost, somebody else has the trial or has finished it.
  virtual bool heartbeat(std::int64_t number, const std::string& worker) = 0;
  virtual bool finish(const StoredTrial& trial) = 0;
  // Back to the queue at once, as if it had not been claimed.
  virtual void give_back(std::int64_t number, const std::string& worker) = 0;

  // How long a claim holds without a heartbeat.
  [[nodiscard]] virtual std::chrono::milliseconds claim_lasts() const = 0;
  // A connection of its own to the same study.
  [[nodiscard]] virtual std::unique_ptr<StudyStore> another() const = 0;
};

struct StudyStoreOptions {
  std::chrono::milliseconds claim_lasts{30'000};  // without a heartbeat
  std::chrono::milliseconds patience{300'000};  // with a server that went away, with other writers of a file
  std::int64_t most_attempts = 5;               // claims of a trial whose workers all died
  bool create = true;                           // false: InputError where there is no store
};

// `location`: a path, or postgresql://user@host/database.
std::unique_ptr<StudyStore> open_study_store(const std::string& location,
                                             const StudyStoreOptions& options = {});

std::string state_text(explore::TrialState state);  // "running", "completed", "failed", "timed-out"

}  // namespace sextant::study
