// Conditions over named values as people write them: "workers * batch <= 512 and strategy == 'ps-sync'".
// Arithmetic (+ - * / % and min, max, log2, abs), comparisons, and, or, not, parentheses; texts compare with
// == and != only. A name is letters, digits and '_', with '.' before the feature of a factor: "vm.vcpus".
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "sextant/core/error.h"

namespace sextant::explore {

using ExpressionValue = std::variant<double, std::string>;  // truth: a number other than 0

struct ExpressionProgram;

class Expression {
 public:
  // InputError at `at` that names the character of the fault.
  static Expression parse(const std::string& text, const SourcePos& at = {});

  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] const SourcePos& where() const { return at_; }
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }  // that it uses, each once
  using Lookup = std::function<ExpressionValue(const std::string& name)>;
  // InputError for a text where a number is needed. Division by 0 gives what doubles give.
  [[nodiscard]] ExpressionValue value(const Lookup& lookup) const;
  [[nodiscard]] bool holds(const Lookup& lookup) const;  // NaN does not hold

 private:
  friend class ExpressionParser;
  std::string text_;
  std::vector<std::string> names_;
  std::shared_ptr<const ExpressionProgram> program_;
  SourcePos at_;
};

// What a factor or a metric may be called, so that expressions can name it: a letter or '_', then letters,
// digits and '_', and no word of the language.
bool is_expression_name(const std::string& text);

}  // namespace sextant::explore
