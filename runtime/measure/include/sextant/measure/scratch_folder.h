// A folder of its own for a run, removed at the end unless it is to be kept.
#pragma once

#include <filesystem>

namespace sextant::measure {

class ScratchFolder {
 public:
  // Below `parent`. SystemError.
  ScratchFolder(const std::filesystem::path& parent, bool keep);
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  bool keep_;
};

}  // namespace sextant::measure
