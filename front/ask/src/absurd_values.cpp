#include "absurd_values.h"

namespace sextant::ask {
namespace {

constexpr Seconds kLongestTime{1e11};  // 3,000 years
constexpr Dollars kDearestHour{1e9};
constexpr const char* kSlip = "are the exponent and the unit right?";

}  // namespace

void refuse_absurd_prices(std::span<const capacity::MachineType> types, const SourcePos& at) {
  for (const capacity::MachineType& type : types) {
    if (type.hour_price > kDearestHour)
      throw InputError(at, "machine '" + type.name + "' costs more than 1e9 USD an hour", kSlip);
  }
}

void refuse_absurd_times(const PlannedTimes& times, const SourcePos& at) {
  if (times.tardiness * kHour > kDearestHour)
    throw InputError(at, "job '" + times.job + "' costs more than 1e9 USD for an hour of delay", kSlip);
  for (const capacity::JobOption& option : times.options) {
    if (option.time > kLongestTime)
      throw InputError(at, "job '" + times.job + "' takes more than 3,000 years", kSlip);
  }
}

}  // namespace sextant::ask
