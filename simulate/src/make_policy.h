// The policy of a run, made from its choice and the mechanism.
#pragma once

#include <memory>

#include "sextant/simulate/run.h"

namespace sextant {

// InputError for a policy of shares without rounds.
std::unique_ptr<QueuePolicy> make_queue_policy(const RunOptions& options, const JobSet& jobs);

}  // namespace sextant
