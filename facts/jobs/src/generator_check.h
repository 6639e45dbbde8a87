// Refuses settings with which nothing can be generated, or not what was asked for.
#pragma once

#include "sextant/jobs/generator.h"

namespace sextant::jobs {

// InputError that names the setting.
void check_generator(const Generator& generator);

// Place of the reference type in the table, every model of the generator being in it; InputError otherwise.
std::size_t reference_of(const Generator& generator, const ThroughputTable& table);

}  // namespace sextant::jobs
