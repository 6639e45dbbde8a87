// HiGHS (Huangfu and Hall, 2018), through its C interface, where libhighs.so is installed: Debian has it from
// version 13 on. Its functions are declared here and looked up when the first program is made, so that
// Sextant is built the same with and without it.
#pragma once

#include "backend.h"

namespace sextant::solve {

// SystemError where it is not installed.
std::unique_ptr<Backend> make_highs_backend(Sense sense);

}  // namespace sextant::solve
