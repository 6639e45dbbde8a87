// Philly's cluster_job_log: a list of jobs, each with its attempts and the GPUs of each. Read as a stream,
// for it is long; what the calendar times mean is the same everywhere in it.
#pragma once

#include <cstdint>
#include <string>

#include "sextant/jobs/trace.h"

namespace sextant::jobs {

// What becomes a job of the trace.
enum class PhillyReading {
  jobs,     // each jobid, with the time of its attempts together
  attempts  // each attempt, which arrives when the one before ended
};

Trace read_philly_log(const std::string& text, const std::string& file, PhillyReading reading);

}  // namespace sextant::jobs
