// The folder through which the driver and the processes of a trial talk, on every runner alike. Files are
// written beside their place and renamed, so that a reader never sees half of one; signs of life are counters
// in a mapped file, which cost a worker nothing.
//
//   trial.json          the trial, by the driver
//   rendezvous/         how processes find each other (Gloo's file store)
//   life.<rank>         Life, mapped
//   report.<rank>.json  WorkerReport, by each process at its end
//   spans.<rank>.json   its spans, Perfetto form, if asked for
//   log.<rank>          what it wrote to stdout and stderr
//   checkpoint          the last complete one
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "sextant/measure/outcome.h"
#include "sextant/measure/trial.h"

namespace sextant::measure {

class RunFolder {
 public:
  explicit RunFolder(std::filesystem::path path) : path_(std::move(path)) {}
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] std::filesystem::path trial_file() const { return path_ / "trial.json"; }
  [[nodiscard]] std::filesystem::path rendezvous() const { return path_ / "rendezvous"; }
  [[nodiscard]] std::filesystem::path checkpoint_file() const { return path_ / "checkpoint"; }
  [[nodiscard]] std::filesystem::path life_file(std::int64_t rank) const { return numbered("life", rank); }
  [[nodiscard]] std::filesystem::path log_file(std::int64_t rank) const { return numbered("log", rank); }
  [[nodiscard]] std::filesystem::path report_file(std::int64_t rank) const {
    return numbered("report", rank) += ".json";
  }
  [[nodiscard]] std::filesystem::path spans_file(std::int64_t rank) const {
    return numbered("spans", rank) += ".json";
  }

 private:
  [[nodiscard]] std::filesystem::path numbered(const char* stem, std::int64_t rank) const {
    return path_ / (std::string(stem) + "." + std::to_string(rank));
  }
  std::filesystem::path path_;
};

// Writes a file whole or not at all: temporary name, fsync, rename. SystemError with the path.
void write_file_atomically(const std::filesystem::path& path, const std::string& contents);

// Signs of life of one process.
struct Life {
  std::int64_t pid = 0;
  std::int64_t beats = 0;       // rises at every phase of every iteration
  std::int64_t iterations = 0;  // finished
};

// The worker's end: a mapped file. The driver reads with read_life; nothing yet: all zero.
class LifeSign {
 public:
  LifeSign(const RunFolder& folder, std::int64_t rank);
  ~LifeSign();
  LifeSign(const LifeSign&) = delete;
  LifeSign& operator=(const LifeSign&) = delete;
  void beat();
  void finished(std::int64_t iterations);

 private:
  Life* life_ = nullptr;
};
Life read_life(const RunFolder& folder, std::int64_t rank);

}  // namespace sextant::measure
