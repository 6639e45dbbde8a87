// A table of named things: plug-ins, networks, GPUs, machines. Look-up folds case and separators,
// knows aliases, and answers an unknown name with the nearest known one.
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "sextant/core/error.h"
#include "sextant/core/text.h"

namespace sextant {

// A parameter of a plug-in, as shown by `describe` and checked when it is set.
struct ParameterInfo {
  std::string name;
  std::string summary;
  double fallback = 0;
  double low = 0;
  double high = 0;
};

// What every plug-in states about itself; `list`, `describe`, help and manual come from this.
struct PluginInfo {
  std::string id;       // kebab-case
  std::string summary;  // one line
  std::string reference;
  std::vector<ParameterInfo> parameters = {};
};

// Item has `id` and `aliases` (vector<string>).
template <class Item>
class Registry {
 public:
  Registry(std::string kind, std::vector<Item> items) : kind_(std::move(kind)), items_(std::move(items)) {
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

  [[nodiscard]] const Item& get(std::string_view name, const SourcePos& at = {}) const {
    if (const Item* item = find(name)) return *item;
    throw InputError(at, "unknown " + kind_ + " '" + std::string(name) + "'", name_hint(name, names_));
  }

 private:
  void index(const std::string& name, std::size_t i) {
    const auto [it, fresh] = by_name_.emplace(fold_name(name), i);
    if (!fresh && it->second != i) {
      throw InputError("two entries of kind " + kind_ + " are both called '" + name + "'");
    }
    if (fresh) names_.push_back(name);
  }

  std::string kind_;
  std::vector<Item> items_;
  std::map<std::string, std::size_t> by_name_;
  std::vector<std::string> names_;
};

}  // namespace sextant
