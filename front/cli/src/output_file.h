// A file that appears whole or not at all: written beside its place under another name, then renamed.
// A run that fails, or a disk that fills, leaves what was there before.
#pragma once

#include <fstream>
#include <string>

namespace sextant::cli {

class OutputFile {
 public:
  // Opens at once, so that a place where nothing can be written is known before the work begins.
  // InputError: an empty name, a folder, or one that does not exist. SystemError: no permission.
  explicit OutputFile(std::string path);
  ~OutputFile();  // without commit(): removes what was written
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  std::ostream& stream() { return out_; }
  // SystemError when not everything could be written.
  void commit();

 private:
  std::string path_;
  std::string temporary_;  // empty: a device or a pipe, which is written in place
  std::ofstream out_;
};

}  // namespace sextant::cli
