// A plug-in and values of its parameters as people write them on one line: "las:quantum=2min:floor=0.5".
// A value is a number, or a time with its unit, which becomes seconds.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sextant/core/registry.h"

namespace sextant {

struct PluginText {
  std::string id;
  std::vector<std::pair<std::string, std::string>> settings = {};  // in the order of the text
};

// InputError for an empty name, a part without '=', a name given twice.
PluginText split_plugin_text(std::string_view text, const SourcePos& at = {});

// A value for each declared parameter: the one given, or its fallback. InputError with a hint for a name that
// is not declared, and for a value that is not a number or out of its bounds.
std::vector<double> parameter_values(const PluginInfo& plugin, const PluginText& text,
                                     const SourcePos& at = {});

// What differs from the fallbacks: "las:quantum=120"
std::string plugin_text(const PluginInfo& plugin, const std::vector<double>& values);

}  // namespace sextant
