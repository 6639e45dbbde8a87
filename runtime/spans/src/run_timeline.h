// Spans of a run sorted into what the analysis needs: for each worker the stretches of its training thread
// without gaps or overlaps, and the transfers beside it; for each server what it did.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sextant/spans/span.h"
#include "span_phases.h"

namespace sextant::spans {

constexpr std::size_t kNone = static_cast<std::size_t>(-1);

// A part of the training thread's time in which one innermost span was open, or none.
struct ThreadStretch {
  std::int64_t start = 0;  // ns
  std::int64_t end = 0;
  PhaseIndex phase = PhaseTable::kOther;
  bool idle = false;             // between spans, or waiting
  std::size_t transfer = kNone;  // that the training thread made itself
};

struct BucketTransfer {
  SpanId id = 0;
  std::int64_t start = 0;
  std::int64_t end = 0;
  std::int64_t ready = 0;  // when it was handed over; at most the start
  std::int64_t thread = 0;
  std::int64_t bucket = -1;
  std::int64_t peer = -1;
  std::size_t cycle = 0;           // kNone: inside another transfer, and part of it
  std::size_t collective = kNone;  // index of those that wait for each other
  bool answered = false;           // a server's span has it as parent: a push; a pull has none
};

struct WorkerTimeline {
  std::int64_t process = 0;
  std::int64_t thread = 0;                // that trains
  std::vector<std::int64_t> starts;       // of the iterations
  std::vector<std::int64_t> ends;         //
  std::vector<ThreadStretch> stretches;   // from the first start to the last end
  std::vector<BucketTransfer> transfers;  // by thread, start
};

struct ServerSpan {
  std::int64_t start = 0;
  std::int64_t end = 0;
  PhaseIndex phase = PhaseTable::kOther;
  SpanId parent = 0;
  std::int64_t iteration = -1;
};
struct ServerTimeline {
  std::int64_t process = 0;
  std::int64_t thread = 0;
  std::vector<ServerSpan> spans;  // by start
};

// Cycle i of a worker reaches from the end of its iteration i-1 to the end of iteration i.
struct RunTimeline {
  PhaseTable phases;
  std::vector<std::int64_t> iterations;  // numbers, of those that every worker has
  std::int64_t recorded = 0;             // iterations that some worker has
  std::vector<WorkerTimeline> workers;
  std::vector<ServerTimeline> servers;  // one for each thread
  std::size_t collectives = 0;
  // By cycle, when the last worker's last push began, if no worker's pulls ever ended before it: servers that
  // wait for all. Empty otherwise.
  std::vector<std::int64_t> releases;
  [[nodiscard]] bool coupled() const { return collectives > 0 || !releases.empty(); }
  [[nodiscard]] std::size_t cycles() const { return iterations.size(); }
};

// Without the first `skip` iterations. InputError where no iteration is left.
RunTimeline run_timeline(const SpanSet& set, std::int64_t skip);

// An attribute that is a whole number.
std::optional<std::int64_t> whole_attribute(const Span& span, std::string_view name);

}  // namespace sextant::spans
