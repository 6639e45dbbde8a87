#include "file_bytes.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "sextant/core/error.h"

namespace sextant::input {

FileHandle::FileHandle(const std::string& path)
    : path_(path), file_(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
  if (file_ < 0) {
    const int reason = errno;
    const std::string why = std::string("the file cannot be read: ") + std::strerror(reason);
    const bool forbidden = reason == EACCES || reason == EPERM;
    if (forbidden) throw InputError(SourcePos{.file = path}, why, "chmod +r lets you read it");
    if (reason == ENOENT || reason == ENOTDIR || reason == ELOOP) {
      throw InputError(SourcePos{.file = path}, why);
    }
    throw SystemError(path + ": " + why);
  }
  struct stat status {};
  const bool known = fstat(file_, &status) == 0;
  if (known && S_ISREG(status.st_mode)) {
    size_ = status.st_size;
    return;
  }
  close(file_);
  throw InputError(SourcePos{.file = path}, "this is not a file");
}

FileHandle::~FileHandle() {
  close(file_);
}

void FileHandle::read(std::int64_t offset, std::uint8_t* out, std::size_t count) const {
  while (count > 0) {
    const ssize_t got = pread(file_, out, count, offset);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw SystemError(path_ + ": reading failed: " + std::strerror(errno));
    if (got == 0) throw InputError(SourcePos{.file = path_}, "the file ends early");
    out += got;
    offset += got;
    count -= static_cast<std::size_t>(got);
  }
}

std::vector<std::uint8_t> read_file_bytes(const std::string& path, std::int64_t limit) {
  const FileHandle file(path);
  if (file.size() > limit) {
    throw InputError(SourcePos{.file = path}, "the file has " + std::to_string(file.size()) +
                                                  " bytes, above the limit of " + std::to_string(limit));
  }
  std::vector<std::uint8_t> bytes(static_cast<std::size_t>(file.size()));
  file.read(0, bytes.data(), bytes.size());
  return bytes;
}

}  // namespace sextant::input
