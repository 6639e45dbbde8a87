// The recording of one rank, sorted into what happened at the same time.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sextant/spans/span.h"
#include "time_stretches.h"

namespace sextant::spans {

// In the order in which an instant is given to them: a collective behind which kernels run costs nothing.
enum class Part : std::size_t { compute, communication, copies, input, idle };
constexpr std::size_t kParts = 5;
const std::string& part_name(Part part);

struct RecordedStep {
  std::int64_t number = 0;
  TimeStretch time;
  std::array<double, kParts> busy_s = {};     // while any of it went on; idle: while nothing did
  std::array<double, kParts> exposed_s = {};  // adds up to the step
  [[nodiscard]] double seconds() const { return static_cast<double>(time.end - time.start) * 1e-9; }
};

struct RankRecording {
  std::int64_t rank = 0;
  std::span<const Span> spans;  // of this rank, by start
  bool gpu = false;
  bool marked = true;               // false: no step was marked, and the whole recording counts as one
  std::vector<RecordedStep> steps;  // by start
};

// One for each process of the set, which must outlive them. `gpu` says for all what parts are made of.
std::vector<RankRecording> rank_recordings(const SpanSet& set);

// Only the steps that all ranks have, without the first `skip`, with their parts. InputError where none is
// left.
void keep_common_steps(std::vector<RankRecording>& recordings, std::int64_t skip);

// The step of a rank that was under way, or none.
const RecordedStep* step_at(const RankRecording& recording, std::int64_t time);

}  // namespace sextant::spans
