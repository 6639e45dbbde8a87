// What failures do to jobs: a verdict, goodput by size of the job and time between checkpoints.
#pragma once

#include "sextant/ask/dependability.h"
#include "sextant/report/result.h"

namespace sextant::report {

Result dependability_result(const ask::DependabilityAnswer& answer);

}  // namespace sextant::report
