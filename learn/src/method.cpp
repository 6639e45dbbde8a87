#include "sextant/learn/method.h"

#include "sextant/core/text.h"

namespace sextant {

#define X(stem) MethodInfo method_##stem();
#include "builtin_methods.inc"
#undef X

const Registry<MethodInfo>& methods() {
  static const Registry<MethodInfo> all = [] {
    std::vector<MethodInfo> list;
#define X(stem) list.push_back(method_##stem());
#include "builtin_methods.inc"
#undef X
    return Registry<MethodInfo>("method", std::move(list));
  }();
  return all;
}

std::string to_string(const Parameters& parameters) {
  std::vector<std::string> parts;
  for (const auto& [name, value] : parameters) parts.push_back(name + "=" + number_text(value));
  return join(parts, " ");
}

}  // namespace sextant
