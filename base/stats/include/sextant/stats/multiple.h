// Many tests at once: p values adjusted so that the chance of even one false alarm stays at the level.
// Holm, Scandinavian Journal of Statistics 6, 1979.
#pragma once

#include <span>
#include <vector>

namespace sextant::stats {

// In the order given: the k-th smallest of m times (m - k + 1), never below that of a smaller one, at most 1.
// InputError for what is outside [0, 1]; of nothing: nothing.
std::vector<double> holm_adjusted(std::span<const double> p_values);

}  // namespace sextant::stats
