// A folder of its own for a run, removed at the end unless it is to be kept.
#pragma once

#include <filesystem>

namespace sextant {

class ScratchFolder {
 public:
  // Below `parent`, or below the system's folder for temporary files where that is empty. SystemError.
  ScratchFolder(const std::filesystem::path& parent, bool keep);
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  bool keep_;
};

// The folder that ScratchFolder would use as parent.
std::filesystem::path scratch_parent(const std::filesystem::path& wanted);

}  // namespace sextant
