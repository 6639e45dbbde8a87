#include "user_folder.h"

#include <algorithm>
#include <cstdlib>

namespace sextant::cli {
namespace {

namespace fs = std::filesystem;

fs::path variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace

fs::path user_folder() {
  if (fs::path own = variable("SEXTANT_HOME"); !own.empty()) return own;
  if (fs::path config = variable("XDG_CONFIG_HOME"); !config.empty()) return config / "sextant";
  if (fs::path home = variable("HOME"); !home.empty()) return home / ".config" / "sextant";
  return {};
}

std::vector<std::string> user_catalog_files() {
  std::vector<std::string> files;
  std::error_code error;  // no such folder: no files
  for (const auto& entry : fs::directory_iterator(user_folder(), error)) {
    if (entry.path().extension() == ".toml" && entry.path().filename() != "sextant.toml") {
      files.push_back(entry.path().string());
    }
  }
  std::ranges::sort(files);
  return files;
}

}  // namespace sextant::cli
