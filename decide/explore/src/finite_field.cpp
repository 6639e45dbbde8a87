#include "finite_field.h"

#include <algorithm>

namespace sextant::explore {
namespace {

std::vector<int> character_of_prime(std::size_t p) {
  std::vector<int> character(p, -1);
  character[0] = 0;
  for (std::size_t x = 1; x < p; ++x) character[x * x % p] = 1;
  return character;
}

}  // namespace

bool is_prime(std::size_t n) {
  if (n < 2) return false;
  for (std::size_t d = 2; d * d <= n; ++d) {
    if (n % d == 0) return false;
  }
  return true;
}

std::optional<FiniteField> finite_field(std::size_t size) {
  if (size % 2 == 0) return std::nullopt;
  if (is_prime(size)) return FiniteField{size, size};
  for (std::size_t p = 3; p * p <= size; p += 2) {
    if (p * p == size && is_prime(p)) return FiniteField{p, size};
  }
  return std::nullopt;
}

std::size_t FiniteField::difference(std::size_t a, std::size_t b) const {
  const std::size_t units = (a % p + p - b % p) % p;
  return units + (a / p + p - b / p) % p * p;
}

std::vector<int> FiniteField::quadratic_character() const {
  const std::vector<int> of_prime = character_of_prime(p);
  if (size == p) return of_prime;
  const auto w2 = static_cast<std::size_t>(std::ranges::find(of_prime, -1) - of_prime.begin());
  std::vector<int> character(size, -1);
  character[0] = 0;
  for (std::size_t x = 1; x < size; ++x) {
    const std::size_t a = x % p;
    const std::size_t b = x / p;
    character[(a * a + w2 * b * b) % p + 2 * a * b % p * p] = 1;  // (a + b w)^2
  }
  return character;
}

}  // namespace sextant::explore
