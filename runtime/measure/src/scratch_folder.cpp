#include "sextant/measure/scratch_folder.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>

#include "sextant/core/error.h"

namespace sextant::measure {

namespace fs = std::filesystem;

ScratchFolder::ScratchFolder(const fs::path& parent, bool keep) : keep_(keep) {
  std::string name = (parent / "sextant-run-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) {
    throw SystemError(name + ": cannot be made: " + std::strerror(errno));
  }
  path_ = name;
}

ScratchFolder::~ScratchFolder() {
  if (keep_) return;
  std::error_code ignored;  // a destructor has nobody to tell
  fs::remove_all(path_, ignored);
}

}  // namespace sextant::measure
