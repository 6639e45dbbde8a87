// Precedence climbing over the text itself; the depth of nesting is bounded, so that hostile text cannot
// exhaust the stack.
#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>

#include "expression_program.h"
#include "sextant/core/text.h"

namespace sextant::explore {
namespace {

constexpr int kDeepest = 200;
constexpr std::size_t kLongest = 10000;  // characters; nobody writes more by hand

struct Operator {
  std::string_view symbol;
  ExpressionOp op;
  int precedence;  // higher binds closer
};

// Longer symbols before those that they begin with.
constexpr std::array<Operator, 13> kOperators = {{{"or", ExpressionOp::logical_or, 1},
                                                  {"and", ExpressionOp::logical_and, 2},
                                                  {"==", ExpressionOp::equal, 4},
                                                  {"!=", ExpressionOp::not_equal, 4},
                                                  {"<=", ExpressionOp::less_equal, 4},
                                                  {">=", ExpressionOp::greater_equal, 4},
                                                  {"<", ExpressionOp::less, 4},
                                                  {">", ExpressionOp::greater, 4},
                                                  {"+", ExpressionOp::add, 5},
                                                  {"-", ExpressionOp::subtract, 5},
                                                  {"*", ExpressionOp::multiply, 6},
                                                  {"/", ExpressionOp::divide, 6},
                                                  {"%", ExpressionOp::remainder, 6}}};
constexpr int kNot = 3;         // "not a == b" negates the comparison
constexpr int kComparison = 4;  // does not chain
constexpr int kNegation = 7;

struct Function {
  std::string_view name;
  ExpressionOp op;
  bool several;  // two arguments or more
};
constexpr std::array<Function, 4> kFunctions = {{{"min", ExpressionOp::minimum, true},
                                                 {"max", ExpressionOp::maximum, true},
                                                 {"log2", ExpressionOp::log2, false},
                                                 {"abs", ExpressionOp::absolute, false}}};

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool starts_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool in_name(char c) {
  return starts_name(c) || is_digit(c);
}
bool is_word(std::string_view text) {
  return text == "and" || text == "or" || text == "not";
}

}  // namespace

class ExpressionParser {
 public:
  ExpressionParser(const std::string& text, const SourcePos& at) : text_(text), at_(at) {}

  Expression parse() {
    if (text_.size() > kLongest) fail(kLongest, "the expression is too long");
    climb(1);
    skip_space();
    if (next_ < text_.size()) unexpected();
    Expression result;
    result.text_ = text_;
    result.at_ = at_;
    result.names_ = std::move(names_);
    result.program_ = std::make_shared<const ExpressionProgram>(ExpressionProgram{std::move(steps_)});
    return result;
  }

 private:
  [[noreturn]] void fail(std::size_t offset, const std::string& what, const std::string& hint = {}) const {
    fail_expression({at_, text_, offset + 1}, what, hint);
  }
  [[noreturn]] void unexpected() const {
    if (next_ >= text_.size()) fail(next_, "the expression ends where a value is needed");
    const char c = text_[next_];
    std::string hint;
    if (c == '=') hint = "write '==' to compare";
    if (c == '&') hint = "write 'and'";
    if (c == '|') hint = "write 'or'";
    if (c == '!') hint = "write 'not', or '!=' to compare";
    if (c == '^') hint = "there is no power; write products";
    const bool printable = c >= ' ' && c <= '~';
    fail(next_, printable ? std::string("'") + c + "' is not expected" : "a character is not expected", hint);
  }

  void skip_space() {
    while (next_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[next_])) != 0) ++next_;
  }
  // A word only where no letter follows: "order" is no "or".
  bool take(std::string_view symbol) {
    skip_space();
    if (text_.compare(next_, symbol.size(), symbol) != 0) return false;
    const std::size_t end = next_ + symbol.size();
    if (starts_name(symbol.front()) && end < text_.size() && (in_name(text_[end]) || text_[end] == '.')) {
      return false;
    }
    next_ = end;
    return true;
  }
  void emit(ExpressionOp op, std::size_t offset) { steps_.push_back({.op = op, .character = offset + 1}); }

  const Operator* take_operator(int lowest) {
    const std::size_t start = next_;
    for (const Operator& each : kOperators) {
      if (!take(each.symbol)) continue;
      if (each.precedence >= lowest) return &each;
      next_ = start;
      return nullptr;
    }
    return nullptr;
  }

  void climb(int lowest) {
    if (++depth_ > kDeepest) {
      fail(std::min(next_, text_.size()),
           "the expression is nested deeper than " + std::to_string(kDeepest) + " levels");
    }
    operand();
    bool compared = false;
    while (true) {
      skip_space();
      const std::size_t offset = next_;
      const Operator* found = take_operator(lowest);
      if (found == nullptr) break;
      if (found->precedence == kComparison && compared) {
        fail(offset, "comparisons do not chain", "write 'a <= b and b <= c'");
      }
      compared = found->precedence == kComparison;
      climb(found->precedence + 1);
      emit(found->op, offset);
    }
    --depth_;
  }

  void operand() {
    skip_space();
    const std::size_t offset = next_;
    if (take("not")) {
      climb(kNot);
      return emit(ExpressionOp::logical_not, offset);
    }
    if (take("-")) {
      climb(kNegation);
      return emit(ExpressionOp::negate, offset);
    }
    if (take("(")) {
      climb(1);
      return close(offset);
    }
    if (offset >= text_.size()) unexpected();
    const char c = text_[offset];
    if (c == '\'' || c == '"') return quoted(c);
    if (is_digit(c) || c == '.') return number();
    if (starts_name(c)) return word();
    unexpected();
  }

  void close(std::size_t opened) {
    if (!take(")")) {
      fail(std::min(next_, text_.size()),
           "')' is missing for the '(' at character " + std::to_string(opened + 1));
    }
  }

  void quoted(char quote) {
    const std::size_t end = text_.find(quote, next_ + 1);
    if (end == std::string::npos) fail(next_, "a text is not closed");
    steps_.push_back(
        {.op = ExpressionOp::text, .character = next_ + 1, .text = text_.substr(next_ + 1, end - next_ - 1)});
    next_ = end + 1;
  }

  void number() {
    const std::size_t start = next_;
    std::size_t end = start;
    while (end < text_.size()) {
      const char before = end > start ? text_[end - 1] : ' ';
      const bool sign = (text_[end] == '+' || text_[end] == '-') && (before == 'e' || before == 'E');
      if (!sign && !in_name(text_[end]) && text_[end] != '.') break;
      ++end;
    }
    const std::string written = text_.substr(start, end - start);
    const std::optional<double> value = to_number(written);
    if (!value || !std::isfinite(*value)) fail(start, "'" + written + "' is no number");
    steps_.push_back({.op = ExpressionOp::number, .character = start + 1, .number = *value});
    next_ = end;
  }

  void word() {
    const std::size_t start = next_;
    std::size_t end = start;
    while (end < text_.size() && (in_name(text_[end]) || text_[end] == '.')) ++end;
    const std::string name = text_.substr(start, end - start);
    if (is_word(name)) unexpected_word(start, name);
    next_ = end;
    if (take("(")) return call(name, start);
    if (name.back() == '.') fail(end - 1, "a name is missing behind '.'");
    auto found = std::ranges::find(names_, name);
    if (found == names_.end()) found = names_.insert(names_.end(), name);
    steps_.push_back({.op = ExpressionOp::name,
                      .character = start + 1,
                      .index = static_cast<std::size_t>(found - names_.begin())});
  }
  [[noreturn]] void unexpected_word(std::size_t offset, const std::string& name) const {
    fail(offset, "'" + name + "' stands where a value is needed");
  }

  void call(const std::string& name, std::size_t start) {
    const auto* function = std::ranges::find(kFunctions, name, &Function::name);
    if (function == kFunctions.end()) {
      fail(start, "there is no function '" + name + "'", "one of: min, max, log2, abs");
    }
    climb(1);
    std::size_t arguments = 1;
    while (take(",")) {
      climb(1);
      ++arguments;
      if (function->several) emit(function->op, start);
    }
    close(start + name.size());
    if (function->several == (arguments == 1)) {
      fail(start, "'" + name + "' takes " + (function->several ? "two arguments or more" : "one argument"));
    }
    if (!function->several) emit(function->op, start);
  }

  const std::string& text_;
  const SourcePos& at_;
  std::size_t next_ = 0;
  int depth_ = 0;
  std::vector<std::string> names_;
  std::vector<ExpressionStep> steps_;
};

Expression Expression::parse(const std::string& text, const SourcePos& at) {
  return ExpressionParser(text, at).parse();
}

bool is_expression_name(const std::string& text) {
  return !text.empty() && starts_name(text.front()) && std::ranges::all_of(text, in_name) && !is_word(text) &&
         std::ranges::find(kFunctions, text, &Function::name) == kFunctions.end();
}

}  // namespace sextant::explore
