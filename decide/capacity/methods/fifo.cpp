// First in, first out.
#include "queue_method.h"

namespace sextant::capacity::planning_method_fifo {

std::vector<MethodInfo> plugin() {
  return {{{.id = "fifo",
            .summary = "by time of submission; a job that runs is not stopped",
            .reference = "textbook; the cheapest configuration that keeps the due date, else the fastest"},
           {"fcfs"},
           [](const MethodSetup&) {
             return make_queue_method([](const CostModel& model, std::int32_t job) {
               return model.snapshot().jobs[static_cast<std::size_t>(job)].submit.value;
             });
           }}};
}

}  // namespace sextant::capacity::planning_method_fifo
