// Numbers as programs take them on their command lines: whole ones in digits alone, "100000" and not "1e+05".
#pragma once

#include <string>

namespace sextant {

// Whole numbers of up to 15 digits in digits; anything else as number_text() gives it. Reads back the same.
std::string plain_number_text(double value);

}  // namespace sextant
