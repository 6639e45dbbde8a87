// Fields that take one of a few texts.
#pragma once

#include <string>
#include <vector>

#include "sextant/core/error.h"

namespace sextant::ask {

// InputError at the field, with what is meant perhaps.
void refuse_unknown(const std::string& text, const std::vector<std::string>& known, const SourcePos& at);

}  // namespace sextant::ask
