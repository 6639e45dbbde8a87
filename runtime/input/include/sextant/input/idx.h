// IDX, the format of MNIST and its successors (LeCun, Cortes, Burges 1998): big-endian header with element
// type and dimensions, then the elements; usually packed with gzip. Only unsigned bytes occur in images.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace sextant::input {

struct IdxArray {
  std::vector<std::int64_t> dims;
  std::vector<std::uint8_t> values;
};

// Plain or packed. InputError that names `file` for another type, sizes that do not agree with the bytes, and
// what is above 4 GiB. Memory is bounded by what the bytes can unpack to.
IdxArray parse_idx(std::span<const std::uint8_t> bytes, const std::string& file);
IdxArray read_idx(const std::string& path);

}  // namespace sextant::input
