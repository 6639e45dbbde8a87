// Times and prices of plans that a slip in a unit or an exponent made: sums of them would mean nothing.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sextant/capacity/snapshot.h"
#include "sextant/core/error.h"

namespace sextant::ask {

// InputError for a machine that costs more than 1e9 USD an hour.
void refuse_absurd_prices(std::span<const capacity::MachineType> types, const SourcePos& at);

struct PlannedTimes {
  const std::string& job;
  DollarRate tardiness;
  const std::vector<capacity::JobOption>& options;
};
// InputError for a job that takes more than 3,000 years, or whose delay costs more than 1e9 USD an hour.
void refuse_absurd_times(const PlannedTimes& times, const SourcePos& at);

}  // namespace sextant::ask
