// A plug-in and values of its parameters as people write them on one line: "las:quantum=2min:floor=0.5".
// A value is a number, with a unit where the parameter has one ("2min", "25MB"); 0, 1, true or false; a word.
#pragma once

#include <optional>
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

// The values given, and the fallbacks of the other parameters. InputError with a hint for a name that is not
// declared, and for a value that is not of its type or out of its bounds.
Parameters parameters_of(const PluginInfo& plugin, const PluginText& text, const SourcePos& at = {});

// The value that a text says, whatever the bounds: a number, with the unit of the parameter or without, yes
// or no, or one of its words; none: not one of these. InputError for an unknown unit.
std::optional<double> typed_value(const ParameterInfo& parameter, std::string_view text,
                                  const SourcePos& at = {});

// Bytes, counts, flags and words.
bool is_whole(const ParameterInfo& parameter);

// A value as people read it: its word, or the number.
std::string value_text(const ParameterInfo& parameter, double value);

// What differs from the fallbacks: "las:quantum=120"
std::string plugin_text(const PluginInfo& plugin, const Parameters& parameters);

}  // namespace sextant
