#include "sextant/measure/run_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <string_view>

#include "owned_file.h"
#include "sextant/core/error.h"
#include "sextant/measure/file_descriptor.h"

namespace sextant::measure {
namespace {

[[noreturn]] void fail(const std::filesystem::path& path, const std::string& doing, int error) {
  throw SystemError(path.string() + ": cannot " + doing + ": " + std::strerror(error));
}

void write_all(int file, std::string_view contents, const std::filesystem::path& path) {
  while (!contents.empty()) {
    const ssize_t written = ::write(file, contents.data(), contents.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail(path, "write", errno);
    contents.remove_prefix(static_cast<std::size_t>(written));
  }
}

// Half written; removed unless it reached its place, by the next writer if this one is killed.
class Partial {
 public:
  explicit Partial(const std::filesystem::path& place) {
    const std::string start = place.filename().string() + ".part.";
    remove_files_of_the_dead(place.parent_path(), start);
    path_ = place.parent_path() / (start + std::to_string(::getpid()));
    do {
      file_ = FileDescriptor(::open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
      if (!file_.open()) fail(place, "be written", errno);
      ::flock(file_.get(), LOCK_EX | LOCK_NB);  // no file system without locks has anybody who looks for them
    } while (removed());                        // by somebody who looked between the two calls
  }
  ~Partial() { ::unlink(path_.c_str()); }
  Partial(const Partial&) = delete;
  Partial& operator=(const Partial&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] int file() const { return file_.get(); }

 private:
  [[nodiscard]] bool removed() const {
    struct stat status {};
    return ::fstat(file_.get(), &status) == 0 && status.st_nlink == 0;
  }
  std::filesystem::path path_;
  FileDescriptor file_;
};

}  // namespace

void write_file_atomically(const std::filesystem::path& path, const std::string& contents) {
  const Partial partial(path);
  write_all(partial.file(), contents, path);
  if (::fsync(partial.file()) != 0) fail(path, "be written to the disk", errno);
  if (::rename(partial.path().c_str(), path.c_str()) != 0) fail(path, "be put in its place", errno);
}

LifeSign::LifeSign(const RunFolder& folder, std::int64_t rank) {
  const std::filesystem::path path = folder.life_file(rank);
  const FileDescriptor file(::open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
  if (!file.open()) fail(path, "be made", errno);
  // Space is taken now: a full disk is an error here, later it would be a SIGBUS.
  if (const int error = ::posix_fallocate(file.get(), 0, sizeof(Life)); error != 0) {
    fail(path, "be made", error);
  }
  void* place = ::mmap(nullptr, sizeof(Life), PROT_READ | PROT_WRITE, MAP_SHARED, file.get(), 0);
  if (place == MAP_FAILED) fail(path, "be mapped", errno);
  life_ = static_cast<Life*>(place);
  std::atomic_ref(life_->pid).store(::getpid(), std::memory_order_release);
  beat();
}

LifeSign::~LifeSign() {
  ::munmap(life_, sizeof(Life));
}

void LifeSign::beat() {
  std::atomic_ref(life_->beats).fetch_add(1, std::memory_order_release);
}

void LifeSign::finished(std::int64_t iterations) {
  std::atomic_ref(life_->iterations).store(iterations, std::memory_order_release);
  beat();
}

Life read_life(const RunFolder& folder, std::int64_t rank) {
  const FileDescriptor file(::open(folder.life_file(rank).c_str(), O_RDONLY | O_CLOEXEC));
  Life life;
  if (!file.open() || ::pread(file.get(), &life, sizeof life, 0) != sizeof life) return {};
  return life;
}

}  // namespace sextant::measure
