#include "sextant/capacity/method.h"

#include "sextant/core/plugin_text.h"

namespace sextant::capacity {

MethodChoice parse_method(std::string_view text, const SourcePos& at) {
  const PluginText parts = split_plugin_text(text, at);
  const MethodInfo& method = methods().get(parts.id, at);
  return {.method = &method, .parameters = parameters_of(method, parts, at), .text = std::string(trim(text))};
}

}  // namespace sextant::capacity
