// Libraries that few commands need, loaded when they are first used: loading them takes longer than most
// answers.
#pragma once

#include <filesystem>
#include <string>

namespace sextant {

// The path of a file of Sextant itself: beside the program or library that runs, or in ../lib/sextant.
// SystemError where there is none.
std::filesystem::path own_file(const std::string& name);

// Stays loaded until the process ends.
class OnDemandLibrary {
 public:
  // A library of the system, such as "libpq.so.5". SystemError, with the package that brings it, where there
  // is none.
  OnDemandLibrary(const std::string& file, const std::string& package);
  // A part of Sextant itself, such as "sextant-clp.so".
  static OnDemandLibrary own(const std::string& file);

  // SystemError where the library has no such function.
  template <class Function>
  [[nodiscard]] Function* function(const char* name) const {
    return reinterpret_cast<Function*>(symbol(name));
  }

 private:
  explicit OnDemandLibrary(const std::string& path);
  [[nodiscard]] void* symbol(const char* name) const;

  std::string file_;
  void* handle_ = nullptr;
};

}  // namespace sextant
