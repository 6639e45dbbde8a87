// What training goes on from after a failure: parameters, statistics and moments in the order of the
// replica's flat arrays, whatever the number of workers and servers was. One file, written beside its place
// and renamed, with a version and a checksum, so that there is a complete one or none.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "sextant/jobs/job.h"

namespace sextant::measure {

struct TrainingCheckpoint {
  std::int64_t iteration = 0;  // finished
  jobs::Optimizer optimizer = jobs::Optimizer::sgd;
  std::int64_t updates = 0;
  std::vector<float> parameters = {};
  std::vector<float> statistics = {};
  std::vector<float> moments = {};  // optimizer_state_values() arrays, one behind the other
  bool operator==(const TrainingCheckpoint&) const = default;
};

std::string checkpoint_bytes(const TrainingCheckpoint& checkpoint);
// InputError for what is truncated, changed, of another version or no checkpoint at all.
TrainingCheckpoint parse_checkpoint(std::string_view bytes, const std::string& file_name);

void write_checkpoint(const std::filesystem::path& path, const TrainingCheckpoint& checkpoint);
TrainingCheckpoint read_checkpoint(const std::filesystem::path& path);

}  // namespace sextant::measure
