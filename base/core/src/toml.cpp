#include "sextant/core/toml.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>

#define TOML_ENABLE_FORMATTERS 0
// Its asserts fail on some broken input ("[[["), which it then reports properly.
#define TOML_ASSERT(expr) static_assert(true)
#include <toml++/toml.h>

#include "sextant/core/csv.h"
#include "sextant/core/text.h"
#include "toml_text.h"

namespace sextant {
namespace {

SourcePos position(const toml::source_region& region, const std::string& file) {
  return {file, static_cast<int>(region.begin.line), static_cast<int>(region.begin.column)};
}

// Without what the parser was about, as in "Error while parsing root table: ".
std::string reason_of(std::string_view description) {
  const std::size_t colon =
      description.starts_with("Error while parsing ") ? description.find(": ") : description.npos;
  return std::string(colon == description.npos ? description : description.substr(colon + 2));
}

}  // namespace

struct TomlSection::Impl {
  std::shared_ptr<toml::table> document;  // keeps every section's table alive
  const toml::table* table;
  std::string file;
  std::set<std::string, std::less<>> read;
  std::set<std::string, std::less<>> asked;  // whether they are there; for hints

  const toml::node* find(std::string_view key) {
    read.emplace(key);
    return table->get(key);
  }

  const toml::node& require(std::string_view key) {
    if (const auto* node = find(key)) return *node;
    throw InputError(position(table->source(), file), "key '" + std::string(key) + "' is missing here",
                     misspelt(key));
  }

  // A missing key often stands there under a name that nobody asked for.
  [[nodiscard]] std::string misspelt(std::string_view key) const {
    std::vector<std::string> strangers;
    for (const auto& [name, node] : *table) {
      if (!read.contains(name.str())) strangers.emplace_back(name.str());
    }
    const auto near = nearest_name(key, strangers);
    if (!near) return {};
    const SourcePos at = position(table->get(*near)->source(), file);
    return "is '" + *near + "' on line " + std::to_string(at.line) + " meant to be it?";
  }

  template <class T>
  T value(const toml::node& node, std::string_view key, const char* wanted) {
    if (const auto value = node.value_exact<T>()) return *value;
    throw InputError(position(node.source(), file), "'" + std::string(key) + "' must be " + wanted);
  }

  double finite(const toml::node& node, std::string_view key) {
    const auto value = node.is_number() ? node.value<double>() : std::nullopt;
    if (value && std::isfinite(*value)) return *value;
    throw InputError(position(node.source(), file), "'" + std::string(key) + "' must be a finite number");
  }

  std::string scalar(const toml::node& node, std::string_view key, const char* wanted) {
    if (const auto value = node.value_exact<std::string>()) return *value;
    if (const auto value = node.value_exact<bool>()) return *value ? "true" : "false";
    if (const auto value = node.value_exact<std::int64_t>()) return std::to_string(*value);
    const auto number = node.value_exact<double>();
    if (number && std::isfinite(*number)) return number_text(*number);
    throw InputError(position(node.source(), file), "'" + std::string(key) + "' must be " + wanted);
  }

  const toml::array& array(const toml::node& node, std::string_view key) {
    if (const auto* array = node.as_array()) return *array;
    throw InputError(position(node.source(), file), "'" + std::string(key) + "' must be a list");
  }

  std::vector<std::string> texts(const toml::node& node, std::string_view key) {
    std::vector<std::string> values;
    for (const auto& item : array(node, key))
      values.push_back(value<std::string>(item, key, "a list of texts"));
    return values;
  }

  TomlSection child(const toml::node& node, std::string_view key) {
    const auto* inner = node.as_table();
    if (inner == nullptr) {
      throw InputError(position(node.source(), file), "'" + std::string(key) + "' must be a section");
    }
    return TomlSection(std::make_shared<Impl>(Impl{document, inner, file, {}, {}}));
  }
};

bool TomlSection::has(std::string_view key) const {
  impl_->asked.emplace(key);
  return impl_->table->contains(key);
}

bool TomlSection::is_section(std::string_view key) const {
  const auto* node = impl_->table->get(key);
  return node != nullptr && node->is_table();
}

std::vector<std::string> TomlSection::keys() const {
  std::vector<std::pair<toml::source_position, std::string>> found;
  for (const auto& [key, node] : *impl_->table) found.emplace_back(key.source().begin, key.str());
  std::ranges::stable_sort(found, [](const auto& a, const auto& b) {
    return std::pair(a.first.line, a.first.column) < std::pair(b.first.line, b.first.column);
  });
  std::vector<std::string> names;
  for (auto& [where, name] : found) names.push_back(std::move(name));
  return names;
}

SourcePos TomlSection::where() const {
  return position(impl_->table->source(), impl_->file);
}

SourcePos TomlSection::where(std::string_view key) const {
  const auto* node = impl_->table->get(key);
  return node == nullptr ? where() : position(node->source(), impl_->file);
}

std::string TomlSection::text(std::string_view key) {
  return impl_->value<std::string>(impl_->require(key), key, "a text in quotes");
}
std::int64_t TomlSection::integer(std::string_view key) {
  return impl_->value<std::int64_t>(impl_->require(key), key, "a whole number");
}
double TomlSection::number(std::string_view key) {
  return impl_->finite(impl_->require(key), key);
}
bool TomlSection::boolean(std::string_view key) {
  return impl_->value<bool>(impl_->require(key), key, "true or false");
}
std::vector<std::string> TomlSection::texts(std::string_view key) {
  return impl_->texts(impl_->require(key), key);
}
std::vector<double> TomlSection::numbers(std::string_view key) {
  std::vector<double> values;
  for (const auto& item : impl_->array(impl_->require(key), key)) values.push_back(impl_->finite(item, key));
  return values;
}
TomlSection TomlSection::section(std::string_view key) {
  return impl_->child(impl_->require(key), key);
}

std::vector<TomlSection> TomlSection::sections(std::string_view key) {
  std::vector<TomlSection> found;
  const auto* node = impl_->find(key);
  if (node == nullptr) return found;
  for (const auto& item : impl_->array(*node, key)) found.push_back(impl_->child(item, key));
  return found;
}

std::optional<std::string> TomlSection::maybe_text(std::string_view key) {
  return impl_->find(key) == nullptr ? std::nullopt : std::optional(text(key));
}
std::optional<std::int64_t> TomlSection::maybe_integer(std::string_view key) {
  return impl_->find(key) == nullptr ? std::nullopt : std::optional(integer(key));
}
std::optional<double> TomlSection::maybe_number(std::string_view key) {
  return impl_->find(key) == nullptr ? std::nullopt : std::optional(number(key));
}
std::optional<bool> TomlSection::maybe_boolean(std::string_view key) {
  return impl_->find(key) == nullptr ? std::nullopt : std::optional(boolean(key));
}
std::vector<std::string> TomlSection::maybe_texts(std::string_view key) {
  return impl_->find(key) == nullptr ? std::vector<std::string>{} : texts(key);
}

std::string TomlSection::scalar(std::string_view key) {
  return impl_->scalar(impl_->require(key), key, "a number, a text, true or false");
}

std::vector<std::string> TomlSection::scalars(std::string_view key) {
  const auto& node = impl_->require(key);
  constexpr const char* kWanted = "a number, a text, true or false, or a list of these";
  std::vector<std::string> values;
  if (!node.is_array()) return {impl_->scalar(node, key, kWanted)};
  for (const auto& item : *node.as_array()) values.push_back(impl_->scalar(item, key, kWanted));
  return values;
}

bool TomlSection::is_list(std::string_view key) const {
  const auto* node = impl_->table->get(key);
  return node != nullptr && node->is_array();
}

void TomlSection::expect(std::string_view key) {
  impl_->read.emplace(key);
}

void TomlSection::finish() const {
  for (const auto& key : keys()) {
    if (impl_->read.contains(key)) continue;
    std::vector<std::string> known;
    std::ranges::set_union(impl_->read, impl_->asked, std::back_inserter(known));
    std::erase(known, key);
    throw InputError(where(key), "unknown key '" + key + "'", name_hint(key, known));
  }
}

TomlSection parse_toml(const std::string& text, const std::string& file_name) {
  refuse_what_the_parser_cannot(text, file_name);
  try {
    auto document = std::make_shared<toml::table>(toml::parse(text, file_name));
    const toml::table* root = document.get();
    return TomlSection(
        std::make_shared<TomlSection::Impl>(TomlSection::Impl{std::move(document), root, file_name, {}, {}}));
  } catch (const toml::parse_error& error) {
    throw InputError(position(error.source(), file_name),
                     "the TOML is broken here: " + reason_of(error.description()));
  }
}

TomlSection read_toml_file(const std::string& path) {
  return parse_toml(read_text_file(path), path);
}

}  // namespace sextant
