// sextant queue for closed networks (mva) and for operational laws.
#pragma once

#include "queue_args.h"

namespace sextant {

int closed_queues(const QueueArgs& args, const Io& io, const Globals& globals);
int queue_laws(const QueueArgs& args, const Io& io, const Globals& globals);

}  // namespace sextant
