// Any lines as arguments of the program: help comes out, or an error with exit code 2. Nothing is run, since
// help is asked for first.
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

#include "sextant/cli/run.h"
#include "sextant/core/text.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::vector<std::string> arguments = {"--help"};
  for (std::string& line : sextant::split(std::string(reinterpret_cast<const char*>(data), size), '\n')) {
    arguments.push_back(std::move(line));
  }
  std::ostringstream out;
  std::ostringstream err;
  const int code = sextant::cli::run(arguments, sextant::cli::Io{out, err});
  if (code != sextant::cli::kDone && code != sextant::cli::kBadInput) std::abort();
  if ((code == sextant::cli::kDone) == out.str().empty()) std::abort();
  return 0;
}
