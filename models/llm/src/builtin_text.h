// The fitted models that ship with the program.
#pragma once

#include <string>

namespace sextant::llm {

// Of models/llm/models; empty where that has no such file.
std::string builtin_text(const std::string& file_name);

}  // namespace sextant::llm
