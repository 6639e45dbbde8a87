// What files of cases are compared with: reading the same file and writing it again.
#pragma once

#include <cstddef>
#include <string>

namespace sextant::bench {

// The size of what was written.
std::size_t copied_csv(const std::string& text);

}  // namespace sextant::bench
