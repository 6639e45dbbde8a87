#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "sextant/core/csv.h"

namespace sextant {

std::string read_text_file(const std::string& path) {
  std::error_code status;
  if (std::filesystem::is_directory(path, status)) throw InputError({path}, "this is a folder, not a file");
  std::ifstream in(path, std::ios::binary);
  if (!in) throw InputError({path}, std::string("the file cannot be read: ") + std::strerror(errno));
  std::string text((std::istreambuf_iterator<char>(in)), {});
  if (in.bad()) throw SystemError(path + ": reading failed: " + std::strerror(errno));
  return text;
}

SourcePos position_in(std::string_view text, std::size_t offset, std::string file) {
  SourcePos at{std::move(file), 1, 1};
  for (const char c : text.substr(0, offset)) {
    at.column = c == '\n' ? 1 : at.column + 1;
    at.line += c == '\n' ? 1 : 0;
  }
  return at;
}

}  // namespace sextant
