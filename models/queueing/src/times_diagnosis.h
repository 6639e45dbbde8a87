// One kind of times, between arrivals or of services: fits and tests.
#pragma once

#include <span>
#include <string>

#include "sextant/queueing/diagnosis.h"

namespace sextant::queueing {

// Random choices draw from streams below `name`.
TimesDiagnosis diagnose_times(std::span<const double> values, const std::string& name,
                              const DiagnosisOptions& options);

}  // namespace sextant::queueing
