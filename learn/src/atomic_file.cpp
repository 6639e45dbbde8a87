#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "sextant/core/error.h"
#include "sextant/learn/model.h"

namespace sextant {

void write_file_atomically(const std::string& path, const std::string& text) {
  if (std::error_code status; std::filesystem::is_directory(path, status)) {
    throw InputError({path}, "is a folder, not a file");
  }
  const std::string beside = path + "." + std::to_string(getpid()) + ".tmp";
  const auto fail = [&] {
    const std::string reason = std::strerror(errno);
    std::remove(beside.c_str());
    throw SystemError(path + ": cannot be written: " + reason);
  };
  std::ofstream out(beside, std::ios::binary);
  if (!out) fail();
  out << text;
  out.close();
  if (!out) fail();
  if (std::rename(beside.c_str(), path.c_str()) != 0) fail();
}

}  // namespace sextant
