#include "sextant/core/provenance.h"

#include <openssl/evp.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <fstream>
#include <memory>
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

constexpr std::size_t kPart = 1 << 16;  // bytes of a file that are read at a time

class Sha256 {
 public:
  Sha256() { check(context_ != nullptr && EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr) == 1); }

  void add(const void* bytes, std::size_t size) { check(EVP_DigestUpdate(context_.get(), bytes, size) == 1); }

  std::string hex() {
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned int size = 0;
    check(EVP_DigestFinal_ex(context_.get(), digest.data(), &size) == 1);
    constexpr std::string_view kHex = "0123456789abcdef";
    std::string text;
    for (unsigned int i = 0; i < size; ++i) {
      text += kHex[digest[i] >> 4];
      text += kHex[digest[i] & 15];
    }
    return text;
  }

 private:
  struct Free {
    void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
  };

  static void check(bool done) {
    if (!done) throw SystemError("SHA-256 is not available in this OpenSSL");
  }

  std::unique_ptr<EVP_MD_CTX, Free> context_{EVP_MD_CTX_new()};
};

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
  Sha256 hash;
  hash.add(bytes.data(), bytes.size());
  return hash.hex();
}

std::string sha256_of_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw SystemError(path + ": cannot be read: " + std::strerror(errno));
  Sha256 hash;
  std::vector<char> part(kPart);
  while (in) {
    in.read(part.data(), static_cast<std::streamsize>(part.size()));
    hash.add(part.data(), static_cast<std::size_t>(in.gcount()));
  }
  if (in.bad()) throw SystemError(path + ": reading failed: " + std::strerror(errno));
  return hash.hex();
}

}  // namespace sextant
