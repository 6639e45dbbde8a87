// sextant queue: waiting times and numbers of servers, from rates, from demands, or from recorded jobs.
#include <memory>

#include "queue_closed.h"
#include "queue_open.h"
#include "queue_records.h"
#include "sextant/cli/command.h"

namespace sextant {
namespace {

int queue(const QueueArgs& args, const Io& io, const Globals& globals) {
  check_queue_options(args);
  if (args.records) return queue_of_records(args, io, globals);
  if (args.classes) return priority_queue_of(args, io, globals);
  if (args.model == "mva") return closed_queues(args, io, globals);
  if (args.model == "laws") return queue_laws(args, io, globals);
  return open_queues(args, io, globals);
}

}  // namespace

std::vector<Command> command_queue() {
  const auto args = std::make_shared<QueueArgs>();
  return {
      {.path = "queue",
       .summary = "how long jobs wait, and how many servers are enough",
       .details =
           "Lists are swept. Times are seconds, or as in '10 min'; rates are per second, or as in 12/h. A "
           "queue that cannot keep up, or a target that no number of servers meets, ends with exit code 3.",
       .examples = {"sextant queue --model mmc --arrival-rate 12/h --service-time '25 min' --servers 6,8",
                    "sextant queue --model mmc --arrival-rate 12/h --service-time '25 min' --target-p95 "
                    "'10 min'",
                    "sextant queue --model mva --demands 0.5,0.3 --think 2 --population 1,2,3,4,5",
                    "sextant queue --records jobs.csv --servers 4"},
       .options = queue_options(*args),
       .run = [args](const Io& io, const Globals& globals) { return queue(*args, io, globals); }}};
}

}  // namespace sextant
