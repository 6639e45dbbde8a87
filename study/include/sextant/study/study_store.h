// Where a study's trials live: an SQLite file, or PostgreSQL by URL, where many machines work on one study. A
// trial is claimed by one worker at a time, which renews its claim; a claim that is not renewed goes back to
// the queue. A finished trial is on disk before finish() returns.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sextant/explore/problem.h"

namespace sextant {

struct StoredTrial {
  std::int64_t number = 0;
  std::vector<std::string> configuration;  // texts by factor
  TrialState state = TrialState::running;
  std::map<std::string, double> metrics = {};
  std::optional<double> bound = {};
  double cost = 0;
  double seconds = 0;
  std::int64_t attempts = 0;  // claims, that of a dead worker included
  std::string worker = {};
  std::string message = {};  // why it failed
  std::string reason = {};   // why it was proposed
  std::string proposed_at = {};
  std::string finished_at = {};
};

struct StudyHeader {
  std::string name;
  std::string text;  // of the study file
};

class StudyStore {
 public:
  virtual ~StudyStore() = default;
  // Creates the study or finds it. InputError where one of that name has another text.
  virtual void open_study(const StudyHeader& header) = 0;
  [[nodiscard]] virtual std::vector<StudyHeader> studies() = 0;
  [[nodiscard]] virtual std::vector<StoredTrial> trials() = 0;  // by number

  // One proposal at a time over all workers: `propose` sees every trial and gives the next, or nothing.
  // The new trial is claimed by this worker. A trial whose claim ran out is given again before a new one is
  // made.
  using Propose = std::function<std::optional<StoredTrial>(const std::vector<StoredTrial>&)>;
  [[nodiscard]] virtual std::optional<StoredTrial> claim(const std::string& worker,
                                                         const Propose& propose) = 0;
  // False: the claim was lost, somebody else has the trial.
  virtual bool heartbeat(std::int64_t number, const std::string& worker) = 0;
  virtual bool finish(const StoredTrial& trial) = 0;
};

struct StudyStoreOptions {
  std::chrono::milliseconds claim_lasts{30'000};  // without a heartbeat
};

// `location`: a path, or postgresql://user@host/database.
std::unique_ptr<StudyStore> open_study_store(const std::string& location,
                                             const StudyStoreOptions& options = {});

}  // namespace sextant
