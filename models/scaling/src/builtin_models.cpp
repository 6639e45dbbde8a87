#include <nlohmann/json.hpp>

#include "sextant/core/embedded_file.h"
#include "sextant/core/text.h"
#include "sextant/scaling/model.h"

namespace sextant::scaling {
namespace {

constexpr std::initializer_list<EmbeddedFile> kModelFiles = {
#include "embedded_models.inc"
};

// By file name without its ending.
std::map<std::string, std::string> read_builtin() {
  std::map<std::string, std::string> models;
  for (const EmbeddedFile& file : kModelFiles) {
    const std::string name = file.name;
    models.emplace(name.substr(0, name.find(".json")), file.text);
  }
  return models;
}

const std::map<std::string, std::string>& builtin_models() {
  static const std::map<std::string, std::string> all = read_builtin();
  return all;
}

}  // namespace

bool ships_scaling_model(const std::string& name) {
  return builtin_models().contains(name);
}

ScalingModel find_scaling_model(const std::string& name_or_file) {
  if (const auto found = builtin_models().find(name_or_file); found != builtin_models().end()) {
    return scaling_from_json(parse_json(found->second, found->first), found->first);
  }
  return scaling_from_json(read_json_file(name_or_file), name_or_file);
}

}  // namespace sextant::scaling
