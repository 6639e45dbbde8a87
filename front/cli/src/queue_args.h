// What sextant queue takes.
#pragma once

#include <vector>

#include "sextant/ask/queue.h"
#include "sextant/cli/command.h"

namespace sextant::cli {

std::vector<Option> queue_options(ask::QueueQuestion& question);

}  // namespace sextant::cli
