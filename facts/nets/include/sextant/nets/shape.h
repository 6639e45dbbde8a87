// Tensor shapes: logical order batch, channels, height, width for images; batch, position, feature
// for sequences. The first dimension is always the batch.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

namespace sextant::nets {

using Shape = std::vector<std::int64_t>;

// Product of the extents. Throws InputError when it does not fit 2^62: a batch of 10^15 is a slip
// of the keyboard, not a tensor.
std::int64_t element_count(const Shape& shape);

// Product and sum with the same check.
std::int64_t checked_product(std::initializer_list<std::int64_t> factors);
std::int64_t checked_sum(std::int64_t a, std::int64_t b);

std::string to_string(const Shape& shape);  // "32x3x224x224"

}  // namespace sextant::nets
