// sextant predict --cases: a CSV of questions in, the same with answers out.
#pragma once

#include "predict_args.h"
#include "sextant/cli/io.h"

namespace sextant::cli {

int predict_cases(const PredictArgs& args, const Io& io, const Globals& globals);

}  // namespace sextant::cli
