#include "own_program.h"

#include <algorithm>
#include <sstream>

#include "catalog_option.h"
#include "sextant/cli/run.h"
#include "user_folder.h"

namespace sextant::cli {
namespace {

// Those that were named: the user's own are found by every run.
std::vector<std::string> catalog_words(const Globals& globals) {
  const std::vector<std::string> users = user_catalog_files();
  std::vector<std::string> words;
  for (const std::string& file : globals.catalog) {
    if (std::ranges::find(users, file) == users.end()) words.insert(words.end(), {"--catalog", file});
  }
  return words;
}

std::vector<std::string> joined(std::vector<std::string> first, const std::vector<std::string>& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

}  // namespace

study::OwnProgram own_program(const Io& io, const Globals& globals) {
  const std::vector<std::string> catalogs = catalog_words(globals);
  study::OwnProgram own;
  // A prior may ask thousands of times: the catalogue is read once.
  own.within = [catalogs, read = std::make_shared<CatalogsRead>()](const std::vector<std::string>& args) {
    std::ostringstream out;
    std::ostringstream err;
    Io inner{out, err};
    inner.catalogs = read;
    const int code = run(joined(catalogs, args), inner);
    return study::OwnCommandResult{code, out.str(), err.str()};
  };
  if (!io.program.empty()) own.start = joined({io.program}, catalogs);
  return own;
}

}  // namespace sextant::cli
