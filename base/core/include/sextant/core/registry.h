// A table of named things: plug-ins, networks, GPUs, machines. Look-up folds case and separators,
// knows aliases, and answers an unknown name with the nearest known one, or with where to find all of them.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "sextant/core/error.h"
#include "sextant/core/parameters.h"
#include "sextant/core/text.h"

namespace sextant {

// A kind of plug-in, as `list` and `describe` name it. The struct of a kind has one as its member kKind.
struct PluginKind {
  const char* singular;  // "trace-format"
  const char* plural;
  const char* summary;  // one line
  const char* noun;     // in messages: "unknown trace format 'x'"
};

// Item has `id` and `aliases` (vector<string>).
template <class Item>
class Registry {
 public:
  // `listed_as` is what `list` calls them; empty: they cannot be listed.
  Registry(std::string kind, std::vector<Item> items, std::string listed_as = {})
      : kind_(std::move(kind)), items_(std::move(items)), listed_as_(std::move(listed_as)) {
    std::ranges::sort(items_, {}, &Item::id);
    for (std::size_t i = 0; i < items_.size(); ++i) {
      index(items_[i].id, i);
      for (const auto& alias : items_[i].aliases) index(alias, i);
    }
  }

  [[nodiscard]] const std::vector<Item>& all() const { return items_; }

  [[nodiscard]] const Item* find(std::string_view name) const {
    const auto it = by_name_.find(fold_name(name));
    return it == by_name_.end() ? nullptr : &items_[it->second];
  }

  // People also write "ResNet-50" for resnet50: without separators, where that leaves one.
  [[nodiscard]] const Item& get(std::string_view name, const SourcePos& at = {}) const {
    if (const Item* item = find(name)) return *item;
    const auto it = by_letters_.find(letters_of(name));
    if (it != by_letters_.end() && it->second != kAmbiguous) return items_[it->second];
    std::string hint = name_hint(name, names_);
    if (hint.empty() && !listed_as_.empty()) hint = "'sextant list " + listed_as_ + "' names all";
    throw InputError(at, "unknown " + kind_ + " '" + std::string(name) + "'", hint);
  }

 private:
  static constexpr std::size_t kAmbiguous = static_cast<std::size_t>(-1);

  static std::string letters_of(std::string_view name) {
    std::string letters = fold_name(name);
    std::erase_if(letters, [](char c) { return c == '-' || c == '/'; });
    return letters;
  }

  void index(const std::string& name, std::size_t i) {
    const auto [letters, first] = by_letters_.emplace(letters_of(name), i);
    if (!first && letters->second != i) letters->second = kAmbiguous;
    const auto [it, fresh] = by_name_.emplace(fold_name(name), i);
    if (!fresh && it->second != i) {
      throw InputError("two entries of kind " + kind_ + " are both called '" + name + "'");
    }
    if (fresh) names_.push_back(name);
  }

  std::string kind_;
  std::vector<Item> items_;
  std::string listed_as_;
  std::map<std::string, std::size_t> by_name_;
  std::map<std::string, std::size_t> by_letters_;  // without separators
  std::vector<std::string> names_;
};

// What the files of a plug-in folder bring, in one list.
template <class Info>
std::vector<Info> gather(std::initializer_list<std::vector<Info> (*)()> files) {
  std::vector<Info> all;
  for (const auto plugin : files) std::ranges::move(plugin(), std::back_inserter(all));
  return all;
}

}  // namespace sextant
