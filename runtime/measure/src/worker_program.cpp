#include "sextant/measure/worker_program.h"

#include <unistd.h>

#include "sextant/core/error.h"

namespace sextant::measure {

namespace fs = std::filesystem;

fs::path worker_program(const SuperviseOptions& options) {
  std::error_code error;
  fs::path path = options.worker;
  if (path.empty()) path = fs::read_symlink("/proc/self/exe", error).parent_path() / "sextant-worker";
  path = fs::absolute(path, error);
  if (error || !fs::is_regular_file(path, error)) {
    throw SystemError(
        path.string() +
        ": the program that trains is missing; it is built and installed together with this one\n"
        "  hint: in Debian it has a package of its own, sextant-worker");
  }
  if (::access(path.c_str(), X_OK) != 0)
    throw SystemError(path.string() + ": this is not a program that can be run");
  return path;
}

}  // namespace sextant::measure
