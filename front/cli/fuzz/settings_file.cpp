// Any bytes as sextant.toml: every setting is shown, or the file is refused with exit code 2 and a position.
#include <stdlib.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "sextant/cli/run.h"

namespace {

void enter_folder_of_its_own() {
  std::string pattern = (std::filesystem::temp_directory_path() / "sextant-fuzz-XXXXXX").string();
  std::filesystem::current_path(mkdtemp(pattern.data()));
  std::atexit([] { std::filesystem::remove_all(std::filesystem::current_path()); });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const bool entered = (enter_folder_of_its_own(), true);
  (void)entered;
  std::ofstream("sextant.toml", std::ios::binary) << std::string(reinterpret_cast<const char*>(data), size);
  std::ostringstream out;
  std::ostringstream err;
  const int code = sextant::cli::run({"config", "show"}, sextant::cli::Io{out, err});
  const bool placed = err.str().find("sextant.toml") != std::string::npos;
  if (code != sextant::cli::kDone && (code != sextant::cli::kBadInput || !placed)) std::abort();
  return 0;
}
