// Shares where every job runs equally fast on all types. Time is then one pool: a job needs the fraction
// need_i of its time per unit of level, the level rises until the pool or a job's time is used up, and
// whoever is not yet at his limit shares the rest. Each job has each type in proportion to its number of
// GPUs.
#pragma once

#include <vector>

#include "share_program.h"

namespace sextant::schedule {

// Can all jobs that have a speed at all run everywhere, each at one speed?
bool is_uniform(const ShareProgram& program);

// Largest level, as the share program would have it.
double uniform_level(const ShareProgram& program);

// Shares that reach the largest level, and of the rest an equal claim to GPUs per weight for everybody who is
// not above it already: time min(1, max(level need_i, claim weight_i / gpus_i)), with the largest claim there
// is.
void fill_uniform(const ShareProgram& program, const std::vector<double>& weight, ShareOptimum& out);

}  // namespace sextant::schedule
