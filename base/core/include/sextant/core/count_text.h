// Large numbers as people write them: "15T" tokens, "1.5B" parameters, "64k" samples.
#pragma once

#include <optional>
#include <string_view>

namespace sextant {

// A number, with a power of a thousand behind it or without: k, M, G or B, T. Nothing for any other text.
std::optional<double> to_count(std::string_view text);

}  // namespace sextant
