// What a job would take with nobody else there.
#pragma once

#include "sextant/simulate/job_set.h"

namespace sextant::simulate {

// Seconds on its fastest type, on one node.
double alone_s(const SimJob& job, const JobSet& jobs);

}  // namespace sextant::simulate
