#include <algorithm>
#include <cmath>
#include <filesystem>

#include "sextant/cli/command.h"
#include "sextant/core/count_text.h"
#include "sextant/core/error.h"
#include "sextant/core/text.h"

namespace sextant::cli {
namespace {

void check_choice(const Option& option, const std::string& value, const SourcePos& at) {
  if (option.choices.empty() || std::ranges::find(option.choices, value) != option.choices.end()) return;
  const auto known = option.hints.find(to_lower(value));
  throw InputError(at, "'" + value + "' is not known here",
                   known != option.hints.end() ? known->second : name_hint(value, option.choices));
}

// Others would open it as what its name says.
void check_picture(const Option& option, const std::string& path, const SourcePos& at) {
  if (option.writes != Writes::picture) return;
  const std::string ending = std::filesystem::path(path).extension().string();
  if (ending.empty() || to_lower(ending) == ".svg") return;
  throw InputError(at, "the picture is SVG, and '" + path + "' ends in " + ending,
                   "call it '" + std::filesystem::path(path).replace_extension(".svg").string() +
                       "'; browsers show it, and rsvg-convert or Inkscape make other formats of it");
}

std::string range_hint(const Option& option) {
  if (std::isfinite(option.low) && std::isfinite(option.high)) {
    return "from " + number_text(option.low) + " to " + number_text(option.high);
  }
  if (std::isfinite(option.low)) return "at least " + number_text(option.low);
  return {};
}

// Above this a double no longer holds every whole number.
constexpr double kLargestWhole = 0x1p53;

// "1281167", and "1e6" too.
std::optional<std::int64_t> whole(const Option& option, std::string_view text) {
  if (const auto value = to_integer(text)) return value;
  const auto value = option.counted ? to_count(text) : to_number(text);
  if (!value || std::abs(*value) > kLargestWhole || std::floor(*value) != *value) return std::nullopt;
  return static_cast<std::int64_t>(*value);
}

// "1.28M" as "1.28e6": how it has to be written.
std::string whole_hint(const Option& option, std::string_view text) {
  static const std::map<char, std::string> powers = {{'k', "e3"}, {'K', "e3"}, {'m', "e6"},
                                                     {'M', "e6"}, {'G', "e9"}, {'B', "e9"}};
  if (text.size() > 1) {
    const auto power = powers.find(text.back());
    const std::string_view digits = text.substr(0, text.size() - 1);
    if (power != powers.end() && to_number(digits))
      return "write it as " + std::string(digits) + power->second;
  }
  return range_hint(option);
}

double checked(const Option& option, double value, const std::string& text, const SourcePos& at) {
  if (std::isfinite(value) && value >= option.low && value <= option.high) return value;
  throw InputError(at, "'" + text + "' is out of range", range_hint(option));
}

std::int64_t integer(const Option& option, const std::string& text, const SourcePos& at) {
  const auto value = whole(option, trim(text));
  if (!value) throw InputError(at, "'" + text + "' is not a whole number", whole_hint(option, trim(text)));
  checked(option, static_cast<double>(*value), text, at);
  return *value;
}

double number(const Option& option, const std::string& text, const SourcePos& at) {
  const auto value = option.counted ? to_count(trim(text)) : to_number(trim(text));
  if (!value) {
    throw InputError(at, "'" + text + "' is not a number",
                     option.advice.empty() ? range_hint(option) : option.advice);
  }
  return checked(option, *value, text, at);
}

bool boolean(const std::string& text, const SourcePos& at) {
  if (text == "true" || text == "1" || text == "yes") return true;
  if (text == "false" || text == "0" || text == "no") return false;
  throw InputError(at, "'" + text + "' is neither true nor false");
}

// "a,b" and "--gpu a --gpu b" are the same list; empty parts are slips.
std::vector<std::string> list_of(const std::vector<std::string>& values, const SourcePos& at) {
  std::vector<std::string> parts;
  for (const auto& value : values) {
    for (const auto& part : split(value, ',')) {
      if (trim(part).empty()) throw InputError(at, "the list '" + value + "' has an empty item");
      parts.emplace_back(trim(part));
    }
  }
  return parts;
}

struct Assign {
  const Option& option;
  const std::vector<std::string>& values;
  const SourcePos& at;

  [[nodiscard]] const std::string& last() const { return values.back(); }

  void operator()(bool* target) const { *target = boolean(last(), at); }
  void operator()(std::int64_t* target) const { *target = integer(option, last(), at); }
  void operator()(double* target) const { *target = number(option, last(), at); }
  void operator()(std::optional<std::int64_t>* target) const { *target = integer(option, last(), at); }
  void operator()(std::optional<double>* target) const { *target = number(option, last(), at); }
  void operator()(std::string* target) const {
    check_choice(option, last(), at);
    *target = last();
  }
  void operator()(std::optional<std::string>* target) const {
    check_choice(option, last(), at);
    check_picture(option, last(), at);
    *target = last();
  }
  void operator()(std::vector<std::string>* target) const {
    *target = option.whole ? values : list_of(values, at);
    for (const auto& value : *target) check_choice(option, value, at);
  }
  void operator()(std::vector<std::int64_t>* target) const {
    target->clear();
    for (const auto& value : list_of(values, at)) target->push_back(integer(option, value, at));
  }
};

struct DefaultText {
  std::string operator()(const bool* value) const { return *value ? "true" : ""; }
  std::string operator()(const std::int64_t* value) const { return std::to_string(*value); }
  std::string operator()(const double* value) const { return number_text(*value); }
  std::string operator()(const std::string* value) const { return *value; }
  std::string operator()(const std::vector<std::string>* value) const { return join(*value, ","); }
  std::string operator()(const std::vector<std::int64_t>* value) const {
    std::string text;
    for (const auto item : *value) text += (text.empty() ? "" : ",") + std::to_string(item);
    return text;
  }
  template <class T>
  std::string operator()(const std::optional<T>* value) const {
    return value->has_value() ? (*this)(&**value) : "";
  }
};

}  // namespace

std::string Option::default_text() const {
  return std::visit([](const auto* value) { return DefaultText{}(value); }, target);
}

bool Option::takes_list() const {
  return std::holds_alternative<std::vector<std::string>*>(target) ||
         std::holds_alternative<std::vector<std::int64_t>*>(target);
}

bool Option::writes_file() const {
  return writes == Writes::file || writes == Writes::picture;
}

std::string Option::typed() const {
  return positional ? name : "--" + name;
}

std::vector<Option> grouped(const std::string& heading, std::vector<Option> options) {
  for (Option& option : options) {
    if (option.group.empty() && !option.positional) option.group = heading;
  }
  return options;
}

void put_under(const std::string& heading, const std::vector<std::string>& names,
               std::vector<Option>& options) {
  for (Option& option : options) {
    if (std::ranges::find(names, option.name) != names.end()) option.group = heading;
  }
}

void assign(const Option& option, const std::vector<std::string>& values, const SourcePos& at) {
  if (values.empty()) return;
  std::visit(Assign{option, values, at}, option.target);
}

std::vector<Option> global_options(Globals& g) {
  return {
      {.name = "format",
       .summary = "form of the result",
       .target = &g.format,
       .value_name = "FORMAT",
       .choices = {"table", "csv", "json", "markdown"}},
      {.name = "columns",
       .summary = "only these columns of a table or CSV, by key or title, in this order",
       .target = &g.columns,
       .value_name = "LIST"},
      {.name = "wide", .summary = "keep every column, however narrow the terminal is", .target = &g.wide},
      {.name = "json", .summary = "short for --format json", .target = &g.json},
      {.name = "catalog",
       .summary = "your own catalogue files over the built-in one: TOML, or SkyPilot's vms.csv",
       .target = &g.catalog,
       .value_name = "FILES"},
      {.name = "seed",
       .summary = "seed of every random stream",
       .target = &g.seed,
       .value_name = "N",
       .low = 0},
      {.name = "color",
       .summary = "colour on the terminal; NO_COLOR is honoured",
       .target = &g.color,
       .value_name = "WHEN",
       .choices = {"auto", "always", "never"}},
      {.name = "no-provenance",
       .summary = "leave date, host and versions out of JSON",
       .target = &g.no_provenance},
      {.name = "debug", .summary = "show the kind of an error and where it was thrown", .target = &g.debug},
  };
}

}  // namespace sextant::cli
