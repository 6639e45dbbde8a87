// An expression as steps of a stack machine: evaluation needs no recursion, however long the text.
#pragma once

#include <cstddef>

#include "sextant/explore/expression.h"

namespace sextant::explore {

enum class ExpressionOp {
  number,
  text,
  name,
  negate,
  logical_not,
  absolute,
  log2,
  multiply,
  divide,
  remainder,
  add,
  subtract,
  minimum,
  maximum,
  equal,
  not_equal,
  less,
  less_equal,
  greater,
  greater_equal,
  logical_and,
  logical_or
};

struct ExpressionStep {
  ExpressionOp op = ExpressionOp::number;
  std::size_t character = 0;  // of the text, from 1, for errors
  double number = 0;
  std::size_t index = 0;  // of a name
  std::string text = {};
};

struct ExpressionProgram {
  std::vector<ExpressionStep> steps;
};

struct ExpressionPlace {
  const SourcePos& at;
  const std::string& text;
  std::size_t character = 0;  // from 1
};
// "… at character 5 of 'a + * b'".
[[noreturn]] void fail_expression(const ExpressionPlace& place, const std::string& what,
                                  const std::string& hint = {});

}  // namespace sextant::explore
