// A trial that has been checked already.
#pragma once

#include "sextant/measure/supervisor.h"

namespace sextant::measure {

// run_trial without its checks, which open data sets and ask programs: once is enough for many rounds.
Supervised run_checked_trial(const Trial& trial, const SuperviseOptions& options);

}  // namespace sextant::measure
