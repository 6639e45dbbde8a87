#include "sextant/explore/expression.h"

#include <cmath>

#include "expression_program.h"

namespace sextant::explore {
namespace {

// NaN is not true.
bool truth(double value) {
  return !std::isnan(value) && value != 0;
}

double unary(ExpressionOp op, double a) {
  switch (op) {
    case ExpressionOp::negate:
      return -a;
    case ExpressionOp::absolute:
      return std::abs(a);
    case ExpressionOp::log2:
      return std::log2(a);
    default:
      return truth(a) ? 0 : 1;
  }
}

double arithmetic(ExpressionOp op, double a, double b) {
  switch (op) {
    case ExpressionOp::multiply:
      return a * b;
    case ExpressionOp::divide:
      return a / b;
    case ExpressionOp::remainder:
      return std::fmod(a, b);
    case ExpressionOp::add:
      return a + b;
    case ExpressionOp::subtract:
      return a - b;
    case ExpressionOp::minimum:
      return std::fmin(a, b);
    default:
      return std::fmax(a, b);
  }
}

bool comparison(ExpressionOp op, double a, double b) {
  switch (op) {
    case ExpressionOp::equal:
      return a == b;
    case ExpressionOp::not_equal:
      return a != b;
    case ExpressionOp::less:
      return a < b;
    case ExpressionOp::less_equal:
      return a <= b;
    case ExpressionOp::greater:
      return a > b;
    case ExpressionOp::greater_equal:
      return a >= b;
    case ExpressionOp::logical_and:
      return truth(a) && truth(b);
    default:
      return truth(a) || truth(b);
  }
}

double binary(ExpressionOp op, double a, double b) {
  const bool is_arithmetic = op >= ExpressionOp::multiply && op <= ExpressionOp::maximum;
  return is_arithmetic ? arithmetic(op, a, b) : static_cast<double>(comparison(op, a, b));
}

class Machine {
 public:
  Machine(const std::string& text, const SourcePos& at) : text_(text), at_(at) {}

  void push(ExpressionValue value) { stack_.push_back(std::move(value)); }
  ExpressionValue take() {
    ExpressionValue value = std::move(stack_.back());
    stack_.pop_back();
    return value;
  }

  void apply(const ExpressionStep& step) {
    if (step.op < ExpressionOp::multiply) {
      push(unary(step.op, number(take(), step)));
      return;
    }
    const ExpressionValue b = take();
    const ExpressionValue a = take();
    const bool equality = step.op == ExpressionOp::equal || step.op == ExpressionOp::not_equal;
    if (equality && a.index() != b.index()) {
      fail_expression({at_, text_, step.character}, "a text is compared with a number");
    }
    if (equality && std::holds_alternative<std::string>(a)) {
      push(static_cast<double>((a == b) == (step.op == ExpressionOp::equal)));
      return;
    }
    const double left = number(a, step);
    const double right = number(b, step);
    push(binary(step.op, left, right));
  }

 private:
  [[nodiscard]] double number(const ExpressionValue& value, const ExpressionStep& step) const {
    if (const double* found = std::get_if<double>(&value)) return *found;
    fail_expression({at_, text_, step.character},
                    "the text '" + std::get<std::string>(value) + "' stands where a number is needed",
                    "texts compare with == and !=");
  }

  const std::string& text_;
  const SourcePos& at_;
  std::vector<ExpressionValue> stack_;
};

}  // namespace

void fail_expression(const ExpressionPlace& place, const std::string& what, const std::string& hint) {
  constexpr std::size_t kShown = 80;  // of a long text
  const std::string& text = place.text;
  const std::string shown = text.size() <= kShown ? text : text.substr(0, kShown) + "…";
  throw InputError(place.at,
                   what + " at character " + std::to_string(place.character) + " of '" + shown + "'", hint);
}

ExpressionValue Expression::value(const Lookup& lookup) const {
  Machine machine(text_, at_);
  for (const ExpressionStep& step : program_->steps) {
    switch (step.op) {
      case ExpressionOp::number:
        machine.push(step.number);
        break;
      case ExpressionOp::text:
        machine.push(step.text);
        break;
      case ExpressionOp::name:
        machine.push(lookup(names_[step.index]));
        break;
      default:
        machine.apply(step);
    }
  }
  return machine.take();
}

bool Expression::holds(const Lookup& lookup) const {
  const ExpressionValue result = value(lookup);
  if (const double* number = std::get_if<double>(&result)) return truth(*number);
  fail_expression({at_, text_, 1}, "a text is no condition", "compare it: name == 'text'");
}

}  // namespace sextant::explore
