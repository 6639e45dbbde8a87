// Where a result comes from. Date, host, versions and hashes stand in this one object;
// everything outside it is the same to the byte for the same inputs and seed.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "sextant/core/json.h"

namespace sextant {

struct Provenance {
  std::string tool_version;
  std::string date;  // UTC, ISO 8601
  std::string host;
  std::string command;
  std::uint64_t seed = 0;
  std::vector<std::pair<std::string, std::string>> inputs;  // name, SHA-256 of the contents
};

Provenance provenance_now(std::string command, std::uint64_t seed);
Json to_json(const Provenance&);

std::string tool_version();
std::string sha256_hex(const std::string& bytes);
// Of a file of any length; SystemError where it cannot be read.
std::string sha256_of_file(const std::string& path);

}  // namespace sextant
