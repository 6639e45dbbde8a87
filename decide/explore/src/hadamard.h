// Hadamard matrices: entries of -1 and 1, every two columns orthogonal. By Paley's constructions (1933) over
// primes and their squares, Williamson's (1944) for 92, and by doubling (Sylvester): all orders up to 112,
// and most beyond.
#pragma once

#include <cstddef>
#include <vector>

namespace sextant::explore {

// Rows of signs with N - 1 columns, the last row all -1; empty where no construction is known here. For
// N - 1 a prime of the form 4t + 3 these are the cyclic designs of Plackett and Burman (Biometrika 33, 1946):
// a row of quadratic residues, shifted right by one in each row.
std::vector<std::vector<int>> screening_signs(std::size_t runs);

}  // namespace sextant::explore
