// A planning problem as a file (TOML): machines of the catalogue or described in place, nodes, jobs with due
// dates, and wishes. Times of jobs stand in the file ([[job.time]]), in a table of times or of throughputs
// beside it, or come from the prediction of a network, which whoever asks has to make.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sextant/capacity/snapshot.h"
#include "sextant/capacity/trained_network.h"
#include "sextant/catalog/catalog.h"
#include "sextant/core/error.h"

namespace sextant::capacity {

// A job whose times are still to be predicted.
struct NetworkJob {
  std::int32_t job = kNone;  // in Snapshot::jobs
  TrainedNetwork network = {};
};

struct JobBounds {
  std::int32_t least = 1;  // GPUs
  std::int32_t most = 1 << 20;
};

struct Instance {
  std::string name = {};
  Snapshot snapshot = {};
  std::vector<NetworkJob> networks = {};
  std::vector<JobBounds> bounds = {};   // by job
  std::vector<SourcePos> jobs_at = {};  // by job
};

// InputError with position for what cannot be: a negative price, a due date that has passed, jobs that wait
// for each other's nodes in a circle, times that are missing. `folder` is where files that it names are
// looked for.
Instance parse_instance(const std::string& text, const std::string& file, const catalog::Catalog& catalog);
Instance read_instance(const std::string& path, const catalog::Catalog& catalog);

// After all times are known: drops options beyond the bounds, sorts, and refuses jobs that fit nowhere.
void settle_options(Instance& instance);

}  // namespace sextant::capacity
