// sextant measure input: how fast can training data be read here?
#pragma once

#include "sextant/cli/command.h"

namespace sextant::cli {

Command command_measure_input();

}  // namespace sextant::cli
