// A file that a command writes besides its result, or in place of it: '-' is standard output, anything else
// appears whole or not at all (core/whole_file.h).
#pragma once

#include <memory>
#include <optional>
#include <ostream>
#include <string>

#include "sextant/cli/io.h"
#include "sextant/core/whole_file.h"

namespace sextant::cli {

inline constexpr const char* kStandardOutput = "-";

class OutputFile {
 public:
  // Opens at once, so that a place where nothing can be written is known before the work begins.
  OutputFile(const std::string& path, const Io& io);

  std::ostream& stream() { return file_ ? file_->stream() : standard_output_; }
  // SystemError when not everything could be written.
  void commit();

 private:
  std::unique_ptr<WholeFile> file_;  // none: standard output
  std::ostream& standard_output_;
};

// None where no path was given.
std::optional<OutputFile> output_file(const std::optional<std::string>& path, const Io& io);

}  // namespace sextant::cli
