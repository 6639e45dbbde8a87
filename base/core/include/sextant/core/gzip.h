// Text that gzip packed, as profilers and publishers of traces leave it.
#pragma once

#include <string>

namespace sextant {

bool is_gzip(const std::string& bytes);

// InputError for what is damaged, cut off, or unpacks to more than 4 GB.
std::string unpack_gzip(const std::string& bytes, const std::string& file_name);

// read_text_file(), unpacked where it is packed.
std::string read_maybe_packed_file(const std::string& path);

}  // namespace sextant
