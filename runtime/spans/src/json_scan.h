// Walks a JSON text without building it: finds where members and elements start, so that files of a million
// spans are taken one span at a time, and errors know their line. What is walked over is not checked; what is
// taken (value) is parsed in full.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "sextant/core/error.h"
#include "sextant/core/json.h"

namespace sextant::spans {

class JsonScan {
 public:
  // Both must outlive the scan.
  JsonScan(const std::string& text, const std::string& file) : text_(text), file_(file) {}

  [[nodiscard]] std::size_t space(std::size_t at) const;  // the next character that is none
  [[nodiscard]] char peek(std::size_t at) const { return at < text_.size() ? text_[at] : '\0'; }
  // Behind the value that starts here.
  [[nodiscard]] std::size_t skip(std::size_t at) const;
  // Calls with the place of each value; both return the place behind the closing bracket.
  std::size_t each_member(std::size_t at,
                          const std::function<void(std::string_view name, std::size_t at)>& take) const;
  // The function returns the place behind the element. `open_end`: the text may end inside the array.
  std::size_t each_element(std::size_t at, const std::function<std::size_t(std::size_t at)>& take,
                           bool open_end = false) const;
  // The value from `at` to `end` (which skip() gave).
  [[nodiscard]] Json value(std::size_t at, std::size_t end) const;

  [[nodiscard]] const std::string& file() const { return file_; }
  [[nodiscard]] SourcePos where(std::size_t at) const;
  [[noreturn]] void fail(std::size_t at, const std::string& what, const std::string& hint = {}) const;

 private:
  [[nodiscard]] std::size_t skip_string(std::size_t at) const;
  const std::string& text_;
  const std::string& file_;
};

}  // namespace sextant::spans
