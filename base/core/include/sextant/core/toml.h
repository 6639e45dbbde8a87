// TOML with positions. A section is read key by key; `finish` then refuses keys that nobody asked
// for, so a misspelt key is an error with a hint and never a silent default.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sextant/core/error.h"

namespace sextant {

class TomlSection {
 public:
  [[nodiscard]] bool has(std::string_view key) const;
  [[nodiscard]] bool is_section(std::string_view key) const;
  [[nodiscard]] std::vector<std::string> keys() const;  // in the order of the file
  [[nodiscard]] SourcePos where() const;
  [[nodiscard]] SourcePos where(std::string_view key) const;  // of its value

  // Required keys: InputError when missing or of another type.
  [[nodiscard]] std::string text(std::string_view key);
  [[nodiscard]] std::int64_t integer(std::string_view key);
  [[nodiscard]] double number(std::string_view key);  // an integer is a number too; finite
  [[nodiscard]] bool boolean(std::string_view key);
  [[nodiscard]] std::vector<std::string> texts(std::string_view key);  // array of strings
  [[nodiscard]] std::vector<double> numbers(std::string_view key);
  [[nodiscard]] TomlSection section(std::string_view key);
  [[nodiscard]] std::vector<TomlSection> sections(std::string_view key);  // [[key]], possibly none

  // Optional keys.
  [[nodiscard]] std::optional<std::string> maybe_text(std::string_view key);
  [[nodiscard]] std::optional<std::int64_t> maybe_integer(std::string_view key);
  [[nodiscard]] std::optional<double> maybe_number(std::string_view key);
  [[nodiscard]] std::optional<bool> maybe_boolean(std::string_view key);
  [[nodiscard]] std::vector<std::string> maybe_texts(std::string_view key);

  // A scalar as text, whatever its type, for settings that are parsed later; `scalars` takes a list of them
  // too.
  [[nodiscard]] std::string scalar(std::string_view key);
  [[nodiscard]] std::vector<std::string> scalars(std::string_view key);
  [[nodiscard]] bool is_list(std::string_view key) const;

  void expect(std::string_view key);  // a key that may stand here, though nobody reads it now
  void finish() const;                // InputError at the first key that nobody asked for

 private:
  friend TomlSection parse_toml(const std::string&, const std::string&);
  struct Impl;
  explicit TomlSection(std::shared_ptr<Impl> impl) : impl_(std::move(impl)) {}
  std::shared_ptr<Impl> impl_;
};

TomlSection parse_toml(const std::string& text, const std::string& file_name);
TomlSection read_toml_file(const std::string& path);

}  // namespace sextant
