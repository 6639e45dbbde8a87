// A folder of its own for a run, removed at the end unless it is to be kept. A process that is killed cannot
// do that: its folders are removed by the next one that makes a folder at the same place. Whose folder it is
// says a file in it, `owner`, that the living hold locked (flock), on this machine or another.
#pragma once

#include <filesystem>

#include "sextant/measure/file_descriptor.h"

namespace sextant::measure {

class ScratchFolder {
 public:
  // Below `parent`, where folders of the dead are removed first. SystemError.
  ScratchFolder(const std::filesystem::path& parent, bool keep);
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  bool keep_;
  FileDescriptor owner_;  // locked
};

}  // namespace sextant::measure
