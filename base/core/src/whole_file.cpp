#include "sextant/core/whole_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "file_place.h"
#include "sextant/core/error.h"

namespace sextant {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kBufferBytes = 1 << 16;
constexpr mode_t kUsualMode = 0666;  // less what the user masks
constexpr mode_t kPermissions = 0777;

// The error number, 0 when all was written.
int write_whole(int descriptor, std::string_view bytes, std::int64_t* offset) {
  while (!bytes.empty()) {
    const ssize_t done = offset != nullptr ? pwrite(descriptor, bytes.data(), bytes.size(), *offset)
                                           : write(descriptor, bytes.data(), bytes.size());
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) return errno;
    if (offset != nullptr) *offset += done;
    bytes.remove_prefix(static_cast<std::size_t>(done));
  }
  return 0;
}

// A file without a name, which nobody has to collect. Nothing where the file system has none, or where it
// could not be named later.
OpenFile nameless(int folder) {
  if (access("/proc/self/fd", X_OK) != 0) return OpenFile();
  return OpenFile(openat(folder, ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, kUsualMode));
}

void check_folder(const std::string& path) {
  std::error_code status;
  if (path.empty()) throw InputError(SourcePos{}, "the name of an output file is empty");
  if (fs::is_directory(path, status)) throw InputError({path}, "this is a folder, not a file");
  const fs::path folder = fs::path(path).parent_path();
  if (!folder.empty() && !fs::is_directory(folder, status)) {
    throw InputError({path}, "the folder '" + folder.string() + "' does not exist");
  }
}

}  // namespace

OpenFile::~OpenFile() {
  close();
}
OpenFile::OpenFile(OpenFile&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
OpenFile& OpenFile::operator=(OpenFile&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  return *this;
}
int OpenFile::close() {
  const int descriptor = std::exchange(descriptor_, -1);
  return descriptor >= 0 && ::close(descriptor) != 0 ? errno : 0;
}

void WholeFile::Buffer::begin(int descriptor) {
  descriptor_ = descriptor;
  room_.resize(kBufferBytes);
  setp(room_.data(), room_.data() + room_.size());
}

WholeFile::Buffer::int_type WholeFile::Buffer::overflow(int_type c) {
  if (sync() != 0) return traits_type::eof();
  if (!traits_type::eq_int_type(c, traits_type::eof())) {
    *pptr() = traits_type::to_char_type(c);
    pbump(1);
  }
  return traits_type::not_eof(c);
}

int WholeFile::Buffer::sync() {
  if (error_ == 0)
    error_ = write_whole(descriptor_, {pbase(), static_cast<std::size_t>(pptr() - pbase())}, nullptr);
  setp(room_.data(), room_.data() + room_.size());
  return error_ == 0 ? 0 : -1;
}

WholeFile::WholeFile(const std::string& path) : path_(path) {
  check_folder(path);
  std::error_code status;
  in_place_ = fs::exists(path, status) && !fs::is_regular_file(path, status);
  if (in_place_)
    open_in_place();
  else
    open_beside();
  buffer_.begin(file_.get());
}

WholeFile::~WholeFile() {
  if (!temporary_.empty()) unlinkat(folder_.get(), temporary_.c_str(), 0);
}

void WholeFile::fail(int reason) const {
  throw SystemError(path_ + ": cannot be written: " + std::strerror(reason));
}

void WholeFile::open_in_place() {
  file_ = OpenFile(::open(path_.c_str(), O_WRONLY | O_NOCTTY | O_CLOEXEC));
  if (!file_.open()) fail(errno);
}

void WholeFile::open_beside() {
  const fs::path place = followed(path_);
  check_folder(place.string());
  name_ = place.filename().string();
  const fs::path folder = place.has_parent_path() ? place.parent_path() : fs::path(".");
  folder_ = OpenFile(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!folder_.open()) folder_ = OpenFile(::open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!folder_.open()) fail(errno);
  // A file that is write-protected is not replaced either.
  struct stat existing {};
  const bool there = fstatat(folder_.get(), name_.c_str(), &existing, AT_SYMLINK_NOFOLLOW) == 0;
  if (there && faccessat(folder_.get(), name_.c_str(), W_OK, AT_EACCESS) != 0) fail(errno);
  remove_abandoned(folder_.get(), name_);
  file_ = nameless(folder_.get());
  if (file_.open()) return;
  std::string unique = temporary_name(name_);
  file_ = OpenFile(openat(folder_.get(), unique.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                          kUsualMode));
  if (!file_.open()) fail(errno);
  temporary_ = std::move(unique);
  flock(file_.get(), LOCK_EX | LOCK_NB);
}

void WholeFile::write_at(std::string_view bytes, std::int64_t offset) {
  if (const int error = write_whole(file_.get(), bytes, &offset); error != 0) fail(error);
}

// Locked before it has one, so that nobody takes it for abandoned.
void WholeFile::give_name() {
  flock(file_.get(), LOCK_EX | LOCK_NB);
  std::string unique = temporary_name(name_);
  const std::string self = "/proc/self/fd/" + std::to_string(file_.get());
  if (linkat(AT_FDCWD, self.c_str(), folder_.get(), unique.c_str(), AT_SYMLINK_FOLLOW) != 0) fail(errno);
  temporary_ = std::move(unique);
}

// Owner and rights of what it replaces stay, as far as the user may give them.
void WholeFile::take_place() {
  struct stat old {};
  if (fstatat(folder_.get(), name_.c_str(), &old, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(old.st_mode)) {
    [[maybe_unused]] const bool same_owner = fchown(file_.get(), old.st_uid, old.st_gid) == 0;
    fchmod(file_.get(), old.st_mode & kPermissions);
  }
  if (fsync(file_.get()) != 0) fail(errno);
  if (temporary_.empty()) give_name();
  if (renameat(folder_.get(), temporary_.c_str(), folder_.get(), name_.c_str()) != 0) fail(errno);
  temporary_.clear();
  if (fsync(folder_.get()) != 0 && errno == EIO) fail(errno);  // some file systems sync no folders
}

void WholeFile::commit() {
  stream_.flush();
  if (buffer_.error() != 0) fail(buffer_.error());
  if (!stream_) fail(EIO);
  if (!in_place_) take_place();
  if (const int error = file_.close(); error != 0) fail(error);
}

}  // namespace sextant
