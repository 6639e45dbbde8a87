// This program as studies ask it: within this process, or as another one, with the same catalogue.
#pragma once

#include "sextant/cli/io.h"
#include "sextant/study/evaluator.h"

namespace sextant::cli {

study::OwnProgram own_program(const Io& io, const Globals& globals);

}  // namespace sextant::cli
