#include "sextant/events/event.h"

#include <stdexcept>

namespace sextant::events {

void too_many_events() {
  throw std::length_error("more events than a run can have");
}

}  // namespace sextant::events
