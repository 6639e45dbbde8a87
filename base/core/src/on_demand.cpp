#include "sextant/core/on_demand.h"

#include <dlfcn.h>

#include <array>
#include <filesystem>

#include "sextant/core/error.h"

namespace sextant {
namespace {

// The folder of the program, or of the shared library, that this code was linked into.
std::filesystem::path own_folder() {
  Dl_info info{};
  std::error_code ignored;
  if (dladdr(reinterpret_cast<const void*>(&own_folder), &info) != 0 && info.dli_fname != nullptr) {
    const std::filesystem::path file = info.dli_fname;
    if (file.extension() == ".so" || file.string().find(".so.") != std::string::npos)
      return std::filesystem::absolute(file, ignored).parent_path();
  }
  return std::filesystem::read_symlink("/proc/self/exe", ignored).parent_path();
}

}  // namespace

std::filesystem::path own_file(const std::string& name) {
  const std::filesystem::path folder = own_folder();
  // Tests and benchmarks stand in folders of their own below the program's.
  const std::array places = {folder / name, folder / "../lib/sextant" / name, folder / "sextant" / name,
                             folder / ".." / name};
  for (const std::filesystem::path& place : places) {
    if (std::filesystem::exists(place)) return place;
  }
  throw SystemError(name + " is missing beside the program, in " + folder.string());
}

OnDemandLibrary::OnDemandLibrary(const std::string& path)
    : file_(path), handle_(dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)) {}

OnDemandLibrary::OnDemandLibrary(const std::string& file, const std::string& package)
    : OnDemandLibrary(file) {
  if (handle_ == nullptr)
    throw SystemError(file + " cannot be loaded\n  hint: Debian's package " + package + " has it");
}

OnDemandLibrary OnDemandLibrary::own(const std::string& file) {
  const std::string place = own_file(file).string();
  OnDemandLibrary library(place);
  if (library.handle_ != nullptr) return library;
  throw SystemError(place + " cannot be loaded: " + dlerror());
}

void* OnDemandLibrary::symbol(const char* name) const {
  void* found = dlsym(handle_, name);
  if (found == nullptr) throw SystemError(file_ + " has no function " + name);
  return found;
}

}  // namespace sextant
