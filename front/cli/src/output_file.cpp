#include "output_file.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "sextant/core/error.h"

namespace sextant::cli {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const std::string& path, int reason) {
  // Of a write that failed earlier the reason is gone; a full disk is the usual one.
  const char* text = reason == 0 ? "not everything was written; is the disk full?" : std::strerror(reason);
  throw SystemError(path + ": cannot be written: " + text);
}

// A link is followed: the file that it names is replaced, not the link.
std::string final_place(const std::string& path) {
  std::error_code status;
  const fs::path place = fs::weakly_canonical(path, status);
  return status ? path : place.string();
}

}  // namespace

OutputFile::OutputFile(std::string path) : path_(std::move(path)) {
  std::error_code status;
  if (path_.empty()) throw InputError({"--out"}, "an empty file name");
  if (fs::is_directory(path_, status)) throw InputError({path_}, "is a folder, not a file");
  const fs::path folder = fs::path(path_).parent_path();
  if (!folder.empty() && !fs::is_directory(folder, status)) {
    throw InputError({path_}, "the folder '" + folder.string() + "' does not exist");
  }
  if (!fs::exists(path_, status) || fs::is_regular_file(path_, status)) {
    path_ = final_place(path_);
    temporary_ = path_ + "." + std::to_string(getpid()) + ".part";
  }
  if (fs::exists(path_, status) && access(path_.c_str(), W_OK) != 0) {
    temporary_.clear();
    fail(path_, errno);  // a file that is write-protected is not replaced either
  }
  errno = 0;
  out_.open(temporary_.empty() ? path_ : temporary_, std::ios::binary | std::ios::trunc);
  if (!out_) {
    const int reason = errno;
    temporary_.clear();  // nothing to remove
    fail(path_, reason);
  }
}

OutputFile::~OutputFile() {
  if (temporary_.empty()) return;
  out_.close();
  std::error_code status;
  fs::remove(temporary_, status);
}

void OutputFile::commit() {
  errno = 0;
  out_.close();
  if (!out_) fail(path_, errno);
  if (temporary_.empty()) return;
  std::error_code status;
  if (fs::exists(path_, status)) fs::permissions(temporary_, fs::status(path_).permissions(), status);
  fs::rename(temporary_, path_, status);
  if (status) fail(path_, status.value());
  temporary_.clear();
}

}  // namespace sextant::cli
