// sextant queue: waiting times and numbers of servers, from rates, from demands, or from recorded jobs.
#include <memory>

#include "queue_args.h"
#include "sextant/cli/command.h"
#include "sextant/cli/run.h"
#include "sextant/report/queue_report.h"

namespace sextant::cli::command_queue {
namespace {

int queue(ask::QueueQuestion question, const Io& io, const Globals& globals) {
  question.seed = static_cast<std::uint64_t>(globals.seed);
  const ask::QueueAnswer answer = ask::queue(question);
  if (const auto* recorded = std::get_if<ask::RecordedQueue>(&answer.result)) {
    for (const std::string& warning : recorded->diagnosis.warnings) warn(io, warning);
  }
  write_result(io, globals, report::queue_result(answer));
  for (const std::string& warning : answer.warnings) warn(io, warning);
  return answer.feasible ? kDone : kInfeasible;
}

}  // namespace

std::vector<Command> plugin() {
  const auto question = std::make_shared<ask::QueueQuestion>();
  return {
      {.path = "queue",
       .summary = "how long jobs wait, and how many servers are enough",
       .details =
           "Each combination of the values in lists is computed. Times are seconds, or as in '10 min'; rates "
           "are per second, or as in 12/h. A "
           "queue that cannot keep up, or a target that no number of servers meets, ends with exit code 3.",
       .examples = {"sextant queue --model mmc --arrival-rate 12/h --service-time '25 min' --servers 6,8",
                    "sextant queue --model mmc --arrival-rate 12/h --service-time '25 min' --target-p95 "
                    "'10 min'",
                    "sextant queue --model mva --demands 0.5,0.3 --think 2 --population 1,2,3,4,5",
                    "sextant queue --records jobs.csv --servers 4"},
       .options = queue_options(*question),
       .run = [question](const Io& io, const Globals& globals) { return queue(*question, io, globals); }}};
}

}  // namespace sextant::cli::command_queue
