// Text that gzip packed, as profilers leave it.
#pragma once

#include <string>

namespace sextant::spans {

bool is_gzip(const std::string& bytes);

// InputError for what is damaged, cut off, or unpacks to more than 4 GB.
std::string unpack_gzip(const std::string& bytes, const std::string& file_name);

}  // namespace sextant::spans
