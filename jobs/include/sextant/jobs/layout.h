// How a job is spread over devices: replicas of the data, shards of a layer, stages of a pipeline.
// One device is {1, 1, 1}.
#pragma once

#include <cstdint>

namespace sextant {

struct Layout {
  std::int64_t data = 1;      // replicas, each with its own batch
  std::int64_t tensor = 1;    // shards of every layer
  std::int64_t pipeline = 1;  // stages
  std::int64_t servers = 0;   // parameter servers; 0 means all-reduce

  [[nodiscard]] std::int64_t devices() const { return data * tensor * pipeline; }
  bool operator==(const Layout&) const = default;
};

}  // namespace sextant
