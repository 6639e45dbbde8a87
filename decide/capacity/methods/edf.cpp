// Earliest due date first.
#include "queue_method.h"

namespace sextant::capacity::planning_method_edf {

std::vector<MethodInfo> plugin() {
  return {
      {{.id = "edf",
        .summary = "earliest due date first; a job that runs is not stopped",
        .reference = "Jackson, 1955; the cheapest configuration that keeps the due date, else the fastest"},
       {"earliest-deadline-first"},
       [](const MethodSetup&) {
         return make_queue_method([](const CostModel& model, std::int32_t job) { return model.slack(job); });
       }}};
}

}  // namespace sextant::capacity::planning_method_edf
