// The field of p or of p^2 elements, p an odd prime, as far as Paley's constructions need it: differences and
// squares. Elements are 0 to q - 1; of p^2 elements, a + b p stands for a + b w, w^2 no square modulo p.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace sextant::explore {

struct FiniteField {
  std::size_t p = 3;
  std::size_t size = 3;  // p or p^2

  [[nodiscard]] std::size_t difference(std::size_t a, std::size_t b) const;
  // Of every element: 1 for squares, -1 for others, 0 for 0.
  [[nodiscard]] std::vector<int> quadratic_character() const;
};

bool is_prime(std::size_t n);
// Nothing for a size that is neither an odd prime nor the square of one.
std::optional<FiniteField> finite_field(std::size_t size);

}  // namespace sextant::explore
