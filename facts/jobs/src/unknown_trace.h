// What a file that no reader of traces knows may be, and what to do about it.
#pragma once

#include <string>
#include <string_view>

#include "sextant/core/error.h"

namespace sextant::jobs {

InputError unknown_beginning(std::string_view text, const std::string& file);

}  // namespace sextant::jobs
