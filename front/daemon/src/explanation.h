// Why a job waits, as `sextant plan --explain` says it: by asking the method what would let it run.
#pragma once

#include <optional>

#include "planning.h"
#include "sextant/ask/waiting_reason.h"
#include "sextant/capacity/method.h"

namespace sextant::daemon {

// What has to be known of the books; the rest is done without holding them.
struct WaitingQuestion {
  std::string job;
  Phase phase = Phase::waiting;
  std::optional<ask::WaitingReason> known = {};  // no method has to be asked
  capacity::Snapshot snapshot = {};
  std::int32_t place = capacity::kNone;  // of the job in the snapshot
};
WaitingQuestion waiting_question(const Books& books, const DaemonJob& job, const capacity::Wishes& wishes,
                                 Seconds now);

// A Refusal (503) while another one is being made: methods take their time, and requests share the threads.
ask::WaitingReason explained(const WaitingQuestion& question, const capacity::MethodChoice& method,
                             std::uint64_t seed);

}  // namespace sextant::daemon
