// sextant queue --records: which model recorded jobs allow, and its answer beside their replay.
#pragma once

#include "queue_args.h"

namespace sextant {

int queue_of_records(const QueueArgs& args, const Io& io, const Globals& globals);

}  // namespace sextant
