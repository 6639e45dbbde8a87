// Refuses settings with which nothing can be generated, or not what was asked for.
#pragma once

#include <map>
#include <string>

#include "sextant/core/error.h"
#include "sextant/jobs/generator.h"

namespace sextant::jobs {

// Where settings were written, by name.
using SettingPlaces = std::map<std::string, SourcePos>;

// InputError that names the setting, at its place or else at that of the generator.
void check_generator(const Generator& generator, const SettingPlaces& places = {});

// Place of the reference type in the table, every model of the generator being in it; InputError otherwise.
std::size_t reference_of(const Generator& generator, const ThroughputTable& table);

}  // namespace sextant::jobs
