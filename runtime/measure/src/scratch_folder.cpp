#include "sextant/measure/scratch_folder.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>

#include "owned_file.h"
#include "sextant/core/error.h"

namespace sextant::measure {
namespace {

namespace fs = std::filesystem;

constexpr const char* kNameStart = "sextant-run-";
constexpr const char* kOwner = "owner";

// Folders without the file are kept ones, or not ours.
void remove_folders_of_the_dead(const fs::path& parent) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(parent, error)) {
    const bool run = entry.path().filename().string().starts_with(kNameStart);
    if (!run || !entry.is_directory(error) || entry.is_symlink(error) || !is_own(entry.path())) continue;
    if (const FileDescriptor lock = lock_of_the_dead(entry.path() / kOwner); lock.open()) {
      fs::remove_all(entry.path(), error);
    }
  }
}

}  // namespace

ScratchFolder::ScratchFolder(const fs::path& parent, bool keep) : keep_(keep) {
  remove_folders_of_the_dead(parent);
  std::string name = (parent / (std::string(kNameStart) + "XXXXXX")).string();
  if (::mkdtemp(name.data()) == nullptr) {
    throw SystemError(name + ": cannot be made: " + std::strerror(errno));
  }
  path_ = name;
  if (!keep_) owner_ = make_owned_file(path_ / kOwner);
}

ScratchFolder::~ScratchFolder() {
  if (keep_) return;
  std::error_code ignored;  // a destructor has nobody to tell
  fs::remove_all(path_, ignored);
}

}  // namespace sextant::measure
