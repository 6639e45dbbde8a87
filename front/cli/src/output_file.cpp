#include "output_file.h"

namespace sextant::cli {

OutputFile::OutputFile(const std::string& path, const Io& io)
    : file_(path == kStandardOutput ? nullptr : std::make_unique<WholeFile>(path)),
      standard_output_(io.standard_output != nullptr ? *io.standard_output : io.out) {}

void OutputFile::commit() {
  if (file_) file_->commit();
}

std::optional<OutputFile> output_file(const std::optional<std::string>& path, const Io& io) {
  if (!path) return std::nullopt;
  return OutputFile(*path, io);
}

}  // namespace sextant::cli
