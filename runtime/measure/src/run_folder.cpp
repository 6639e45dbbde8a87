#include "sextant/measure/run_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>

#include "owned_file.h"
#include "sextant/core/error.h"
#include "sextant/core/whole_file.h"
#include "sextant/measure/file_descriptor.h"

namespace sextant::measure {
namespace {

[[noreturn]] void fail(const std::filesystem::path& path, const std::string& doing, int error) {
  throw SystemError(path.string() + ": cannot " + doing + ": " + std::strerror(error));
}

}  // namespace

void write_file_atomically(const std::filesystem::path& path, const std::string& contents) {
  try {
    WholeFile file(path.string());
    file.stream() << contents;
    file.commit();
  } catch (const InputError& error) {  // a folder of ours that is gone is no input
    throw SystemError(path.string() + ": cannot be written: " + error.message());
  }
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
