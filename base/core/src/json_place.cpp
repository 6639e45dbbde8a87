#include "sextant/core/json_place.h"

#include <nlohmann/json.hpp>

namespace sextant {
namespace {

std::string below(const std::string& path, const std::string& name) {
  return path.empty() ? name : path + "." + name;
}

bool find_place(const Json& from, const Json& place, std::string& path) {
  if (&from == &place) return true;
  const std::string before = path;
  if (from.is_object()) {
    for (const auto& [name, value] : from.items()) {
      path = below(before, name);
      if (find_place(value, place, path)) return true;
    }
  } else if (from.is_array()) {
    for (std::size_t i = 0; i < from.size(); ++i) {
      path = before + "[" + std::to_string(i) + "]";
      if (find_place(from[i], place, path)) return true;
    }
  }
  path = before;
  return false;
}

}  // namespace

std::string json_path(const Json& document, const Json& place) {
  std::string path;
  find_place(document, place, path);
  return path;
}

JsonFault::JsonFault(const Json& holder, const std::string& name, const std::string& what,
                     const std::string& hint)
    : InputError({}, "'" + name + "' " + what, hint), at_(&holder), member_(name), what_(what) {}

JsonFault::JsonFault(Value, const Json& value, const std::string& name, const std::string& what)
    : InputError({}, "'" + name + "' " + what), at_(&value), what_(what) {}

JsonFault JsonFault::at_value(const Json& value, const std::string& name, const std::string& what) {
  return {Value{}, value, name, what};
}

InputError JsonFault::in(const Json& document, const std::string& file, const std::string& other) const {
  std::string path = json_path(document, *at_);
  if (!member_.empty()) path = below(path, member_);
  const std::string said = path.empty() ? message() : "'" + path + "' " + what_;
  return {{file}, said, hint().empty() ? other : hint()};
}

}  // namespace sextant
