#include "input_files.h"

#include <algorithm>
#include <filesystem>

namespace sextant::cli {
namespace {

struct Texts {
  std::vector<std::string> operator()(const std::string* text) const { return {*text}; }
  std::vector<std::string> operator()(const std::vector<std::string>* texts) const { return *texts; }
  std::vector<std::string> operator()(const std::optional<std::string>* text) const {
    return text->has_value() ? std::vector{**text} : std::vector<std::string>{};
  }
  template <class Other>
  std::vector<std::string> operator()(const Other* /*value*/) const {
    return {};
  }
};

// Options say so by the word for their value; of what stands alone, anything may be a file that is no known
// name.
bool may_name_file(const Option& option, const std::string& text) {
  if (option.writes != Writes::nothing) return false;
  if (!option.positional) return option.value_name.starts_with("FILE");
  if (!option.names) return true;
  const std::vector<std::string> known = option.names();
  return std::ranges::find(known, text) == known.end();
}

}  // namespace

std::vector<std::string> input_files(const std::vector<Option>& options) {
  std::vector<std::string> files;
  for (const Option& option : options) {
    for (const std::string& text : std::visit(Texts{}, option.target)) {
      std::error_code unknown;
      if (text.empty() || !may_name_file(option, text)) continue;
      if (!std::filesystem::is_regular_file(text, unknown)) continue;
      if (std::ranges::find(files, text) == files.end()) files.push_back(text);
    }
  }
  return files;
}

}  // namespace sextant::cli
