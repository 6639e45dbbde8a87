#include "state_lock.h"

#include <fcntl.h>
#include <sys/file.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <thread>

#include "sextant/core/error.h"
#include "sextant/core/text.h"

namespace sextant::daemon {
namespace {

constexpr auto kOrphanPatience = std::chrono::seconds(65);  // a command has a minute

measure::FileDescriptor lock_file(const std::string& state, const char* ending) {
  const std::string path = state + ending;
  const std::filesystem::path folder = std::filesystem::absolute(path).parent_path();
  if (!std::filesystem::is_directory(folder))
    throw InputError({state}, "its folder does not exist", "make '" + folder.string() + "' first");
  measure::FileDescriptor file(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  if (!file.open()) throw SystemError(path + ": cannot be written: " + std::strerror(errno));
  return file;
}

std::string holder(int file) {
  std::array<char, 32> text{};
  const auto length = ::pread(file, text.data(), text.size() - 1, 0);
  return length > 0 ? std::string(trim(std::string_view(text.data(), static_cast<std::size_t>(length)))) : "";
}

}  // namespace

StateLock::StateLock(const std::string& state)
    : own_(lock_file(state, ".lock")), commands_(lock_file(state, ".commands")) {
  if (::flock(own_.get(), LOCK_EX | LOCK_NB) != 0) {
    const std::string pid = holder(own_.get());
    throw InputError({state}, "another daemon has this state" + (pid.empty() ? "" : ", process " + pid),
                     "stop it, or name another file");
  }
  const std::string pid = std::to_string(::getpid()) + "\n";
  if (::ftruncate(own_.get(), 0) != 0 || ::pwrite(own_.get(), pid.data(), pid.size(), 0) < 0)
    throw SystemError(state + ".lock: cannot be written: " + std::strerror(errno));
  const auto end = std::chrono::steady_clock::now() + kOrphanPatience;
  while (::flock(commands_.get(), LOCK_EX | LOCK_NB) != 0 && std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

}  // namespace sextant::daemon
