// The files of an input experiment: made in a folder of their own, emptied from the page cache on request,
// and removed with the object.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "input_design.h"
#include "sextant/measure/scratch_folder.h"

namespace sextant::measure {

// A data set in scratch files, open for reading.
struct InputFiles {
  std::filesystem::path path;
  std::unique_ptr<input::SampleSet> samples;
};

class InputFolder {
 public:
  // Makes a folder below design.scratch and all files of the design in it. `keep_going` is asked now and
  // then; where it says no, files that are not made yet stay out.
  InputFolder(const InputDesign& design, const std::function<bool()>& keep_going);

  // Nothing: there was no time to make them.
  [[nodiscard]] const InputFiles* find(const std::string& format, std::int64_t samples) const;

 private:
  void make_all(const InputDesign& design, const std::function<bool()>& keep_going);
  ScratchFolder folder_;
  std::map<std::pair<std::string, std::int64_t>, InputFiles> files_;
};

// Asks the kernel to forget the pages of all files below `path`, which needs no rights; what other processes
// map, and file systems in memory, stay.
void drop_from_page_cache(const std::filesystem::path& path);
// Part of the bytes below `path` that are in memory; nothing where that cannot be known.
std::optional<double> share_in_page_cache(const std::filesystem::path& path);

}  // namespace sextant::measure
