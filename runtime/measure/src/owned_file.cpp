#include "owned_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace sextant::measure {

namespace fs = std::filesystem;

FileDescriptor make_owned_file(const fs::path& path) {
  const fs::path fresh = path.string() + ".new";
  FileDescriptor file(::open(fresh.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!file.open()) return FileDescriptor();
  const bool locked = ::flock(file.get(), LOCK_EX | LOCK_NB) == 0;
  if (locked && ::rename(fresh.c_str(), path.c_str()) == 0) return file;
  ::unlink(fresh.c_str());
  return FileDescriptor();
}

FileDescriptor lock_of_the_dead(const fs::path& path) {
  FileDescriptor file(::open(path.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW));
  if (!file.open() || ::flock(file.get(), LOCK_EX | LOCK_NB) != 0) return FileDescriptor();
  return file;
}

bool is_own(const fs::path& path) {
  struct stat status {};
  return ::lstat(path.c_str(), &status) == 0 && status.st_uid == ::geteuid();
}

}  // namespace sextant::measure
