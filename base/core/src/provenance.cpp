#include "sextant/core/provenance.h"

#include <openssl/evp.h>
#include <unistd.h>

#include <array>
#include <ctime>
#include <nlohmann/json.hpp>

#include "sextant/core/error.h"
#include "sextant_version.h"

namespace sextant {
namespace {

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text.data();
}

std::string host_name() {
  std::array<char, 256> name{};
  return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "unknown";
}

}  // namespace

std::string tool_version() {
  return SEXTANT_VERSION;
}

Provenance provenance_now(std::string command, std::uint64_t seed) {
  return {tool_version(), utc_now(), host_name(), std::move(command), seed, {}};
}

Json to_json(const Provenance& from) {
  Json inputs = Json::array();
  for (const auto& [name, hash] : from.inputs) inputs.push_back({{"name", name}, {"sha256", hash}});
  return {{"tool", "sextant"},          {"version", from.tool_version}, {"date", from.date},
          {"host", from.host},          {"command", from.command},      {"seed", from.seed},
          {"inputs", std::move(inputs)}};
}

std::string sha256_hex(const std::string& bytes) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int size = 0;
  if (EVP_Digest(bytes.data(), bytes.size(), digest.data(), &size, EVP_sha256(), nullptr) != 1) {
    throw SystemError("SHA-256 is not available in this OpenSSL");
  }
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string hex;
  for (unsigned int i = 0; i < size; ++i) {
    hex += kHex[digest[i] >> 4];
    hex += kHex[digest[i] & 15];
  }
  return hex;
}

}  // namespace sextant
