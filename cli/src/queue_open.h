// sextant queue for open queues: a sweep over the lists, a number of servers for targets, priorities.
#pragma once

#include "queue_args.h"

namespace sextant {

int open_queues(const QueueArgs& args, const Io& io, const Globals& globals);
int priority_queue_of(const QueueArgs& args, const Io& io, const Globals& globals);

}  // namespace sextant
