// What a plug-in says about itself, and the values of its parameters: numbers with a unit, yes or no, one of
// a few words, or text. A plug-in declares each once and reads it by name and type:
//   info.parameters = {seconds_parameter("quantum", "of one turn", {.fallback = 360, .low = 1, .high = 1e6}),
//                      flag_parameter("preempt", "1: stops others", false)};
//   ... parameters.seconds("quantum"), parameters.flag("preempt")
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sextant/core/units.h"

namespace sextant {

enum class ParameterType {
  number,
  seconds,  // "90", "2min"; GPU-seconds too
  bytes,    // "1000000", "25MB"
  share,    // a part of something
  count,    // a whole number
  flag,     // 0, 1, true, false
  word,     // one of a list; in numbers its place, from 0
  text,     // anything; empty where not given
};

// A value with a name: async for -1.
struct NamedValue {
  std::string name;
  double value = 0;
};

// A parameter of a plug-in, as shown by `describe` and checked when it is set.
struct ParameterInfo {
  std::string name;
  std::string summary;
  ParameterType type = ParameterType::number;
  double fallback = 0;
  double low = 0;
  double high = 0;
  std::vector<NamedValue> words = {};  // accepted and shown for those values
};

struct ParameterRange {
  double fallback = 0;
  double low = 0;
  double high = 0;
};

ParameterInfo number_parameter(std::string name, std::string summary, const ParameterRange& range);
ParameterInfo seconds_parameter(std::string name, std::string summary, const ParameterRange& range);
ParameterInfo bytes_parameter(std::string name, std::string summary, const ParameterRange& range);
ParameterInfo share_parameter(std::string name, std::string summary, const ParameterRange& range);
ParameterInfo count_parameter(std::string name, std::string summary, const ParameterRange& range,
                              std::vector<NamedValue> words = {});
ParameterInfo flag_parameter(std::string name, std::string summary, bool fallback);
// The fallback is one of the words.
ParameterInfo word_parameter(std::string name, std::string summary, const std::vector<std::string>& words,
                             const std::string& fallback);
ParameterInfo text_parameter(std::string name, std::string summary);

// What every plug-in states about itself; `list`, `describe`, help and manual come from this.
struct PluginInfo {
  std::string id;       // kebab-case
  std::string summary;  // one line
  std::string reference;
  std::vector<ParameterInfo> parameters = {};
};

// A value for each parameter that a plug-in declares; the plug-in must outlive them. They are read when a
// plug-in is made, or once for each question, not in loops. A name that is not declared, and one that is
// declared with another type, is a mistake in the plug-in: logic_error, which its contract suite finds.
class Parameters {
 public:
  static constexpr std::size_t kMost = 8;  // of a plug-in

  Parameters() = default;
  explicit Parameters(const PluginInfo& plugin);  // the fallbacks

  [[nodiscard]] double number(std::string_view name) const;
  [[nodiscard]] Seconds seconds(std::string_view name) const;
  [[nodiscard]] Bytes bytes(std::string_view name) const;
  [[nodiscard]] double share(std::string_view name) const;
  [[nodiscard]] std::int64_t count(std::string_view name) const;
  [[nodiscard]] bool flag(std::string_view name) const;
  [[nodiscard]] const std::string& word(std::string_view name) const;
  [[nodiscard]] const std::string& text(std::string_view name) const;
  // The member of an enumeration in the order of the words.
  template <class Enum>
  [[nodiscard]] Enum one_of(std::string_view name) const {
    return static_cast<Enum>(static_cast<int>(values_[index(name, ParameterType::word)]));
  }

  // Of a parameter that is no text and no word.
  void set(std::string_view name, double value);
  void set_word(std::string_view name, std::string_view word);
  void set_text(std::string_view name, std::string text);

  // By its place in the declaration, as a number: flags are 0 or 1, words their place.
  [[nodiscard]] double value(std::size_t index) const { return values_[index]; }
  void set_value(std::size_t index, double value) { values_[index] = value; }

  bool operator==(const Parameters&) const = default;

 private:
  [[nodiscard]] std::size_t index(std::string_view name) const;
  [[nodiscard]] std::size_t index(std::string_view name, ParameterType type) const;

  const PluginInfo* plugin_ = nullptr;
  std::array<double, kMost> values_ = {};
  std::vector<std::string> texts_ = {};  // as many as there are parameters where any is a text; else none
};

}  // namespace sextant
