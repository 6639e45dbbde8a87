// "krum/f=0.2" where ':' already separates the settings of what the text stands in.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "sextant/core/plugin_text.h"

namespace sextant::robust {

inline PluginText split_nested_text(std::string_view text, const SourcePos& at) {
  std::string plain(text);
  std::ranges::replace(plain, '/', ':');
  return split_plugin_text(plain, at);
}

}  // namespace sextant::robust
