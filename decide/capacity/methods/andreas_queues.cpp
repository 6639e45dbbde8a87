// FIFO, EDF and priority as the simulator of ANDREAS has them (Filippini et al., TSC 2023: the
// first-principle methods), for comparisons with its published costs. They differ from the methods of the
// same names without "andreas" in that nobody overtakes: the next job takes the next free node. Equal
// configurations: the cheaper machine.
#include "queue_method.h"

namespace sextant::capacity::planning_method_andreas_queues {
namespace {

using Rank = double (*)(const JobState&);

template <Rank rank>
MethodInfo queue(const char* id, const char* summary) {
  return {{.id = id,
           .summary = summary,
           .reference = "Filippini et al., Path Relinking, TSC 2023; the rules of its simulator"},
          {},
          [](const MethodSetup&) {
            return make_queue_method(
                [](const CostModel& model, std::int32_t job) {
                  return rank(model.snapshot().jobs[static_cast<std::size_t>(job)]);
                },
                Overtaking::never);
          }};
}

double by_submission(const JobState& job) {
  return job.submit.value;
}
double by_due_date(const JobState& job) {
  return job.due.value;
}
double by_weight(const JobState& job) {
  return -job.tardiness.value;
}

}  // namespace

std::vector<MethodInfo> plugin() {
  return {queue<by_submission>("andreas-fifo", "by time of submission, a node for each job"),
          queue<by_due_date>("andreas-edf", "by due date, a node for each job"),
          queue<by_weight>("andreas-priority", "by what lateness costs, a node for each job")};
}

}  // namespace sextant::capacity::planning_method_andreas_queues
