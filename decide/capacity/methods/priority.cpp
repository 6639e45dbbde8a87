// Largest weight first.
#include <limits>

#include "queue_method.h"

namespace sextant::capacity::planning_method_priority {

std::vector<MethodInfo> plugin() {
  return {{{.id = "priority",
            .summary = "largest priority, then cost of tardiness, first; a job that runs is not stopped",
            .reference = "textbook; the cheapest configuration that keeps the due date, else the fastest"},
           {"ps"},
           [](const MethodSetup&) {
             return make_queue_method([](const CostModel& model, std::int32_t job) {
               const double priority = model.snapshot().jobs[static_cast<std::size_t>(job)].priority;
               return priority != 0 ? -priority : -model.weight(job);
             });
           }}};
}

}  // namespace sextant::capacity::planning_method_priority
