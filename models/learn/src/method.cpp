#include "sextant/learn/method.h"

#include "sextant/core/text.h"

namespace sextant::learn {

std::string to_string(const MethodSettings& settings) {
  std::vector<std::string> parts;
  for (const auto& [name, value] : settings) parts.push_back(name + "=" + number_text(value));
  return join(parts, " ");
}

Parameters with_settings(const MethodInfo& method, const MethodSettings& settings) {
  Parameters parameters(method);
  for (const auto& [name, value] : settings) parameters.set(name, value);
  return parameters;
}

}  // namespace sextant::learn
