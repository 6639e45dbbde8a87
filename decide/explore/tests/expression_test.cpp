#include "sextant/explore/expression.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "error_of.h"
#include "sextant/core/rng.h"
#include "sextant/core/text.h"

namespace sextant::explore {
namespace {

using sextant::test::error_of;

ExpressionValue lookup(const std::string& name) {
  static const std::map<std::string, ExpressionValue> values = {
      {"workers", 4.0}, {"batch", 32.0}, {"strategy", std::string("ps-sync")}, {"vm.vcpus", 8.0}};
  return values.at(name);
}

double number_of(const std::string& text) {
  return std::get<double>(Expression::parse(text).value(lookup));
}

TEST(Expression, ArithmeticBindsAsInSchool) {
  EXPECT_EQ(number_of("1 + 2 * 3"), 7);
  EXPECT_EQ(number_of("(1 + 2) * 3"), 9);
  EXPECT_EQ(number_of("10 - 4 - 3"), 3);
  EXPECT_EQ(number_of("24 / 4 / 2"), 3);
  EXPECT_EQ(number_of("-2 * -3"), 6);
  EXPECT_EQ(number_of("2 - -3"), 5);
  EXPECT_EQ(number_of("17 % 5"), 2);
  EXPECT_EQ(number_of("1.5e2 + .5"), 150.5);
}

TEST(Expression, FunctionsAndNames) {
  EXPECT_EQ(number_of("max(workers, batch, 7) + min(1, 2)"), 33);
  EXPECT_EQ(number_of("log2(batch) + abs(-3)"), 8);
  EXPECT_EQ(number_of("workers*vm.vcpus"), 32);
  EXPECT_EQ(Expression::parse("workers * workers + batch").names(),
            (std::vector<std::string>{"workers", "batch"}));
}

TEST(Expression, ConditionsOfTheUsers) {
  EXPECT_EQ(number_of("workers * batch <= 512 and strategy == 'ps-sync'"), 1);
  EXPECT_EQ(number_of("workers * batch <= 100 or strategy != \"ps-sync\""), 0);
  EXPECT_EQ(number_of("not workers == 4"), 0);
  EXPECT_EQ(number_of("not (workers > 4) and batch >= 32"), 1);
  // and binds closer than or
  EXPECT_EQ(number_of("1 == 1 or 1 == 2 and 1 == 2"), 1);
}

TEST(Expression, NaNDoesNotHold) {
  EXPECT_FALSE(Expression::parse("0 / 0").holds(lookup));
  EXPECT_FALSE(Expression::parse("0 / 0 == 0 / 0").holds(lookup));
  EXPECT_TRUE(Expression::parse("1 / 0 > 1e300").holds(lookup));
}

TEST(Expression, WordsAreNotPartsOfNames) {
  const auto one = [](const std::string&) -> ExpressionValue { return 1.0; };
  EXPECT_EQ(std::get<double>(Expression::parse("order + android + nothing").value(one)), 3);
}

TEST(Expression, ErrorsNameTheCharacter) {
  const auto fault = [](const std::string& text) {
    return error_of([&] { Expression::parse(text, {"s.toml", 3, 9}); });
  };
  EXPECT_EQ(fault("a + * b"), "s.toml:3:9: error: '*' is not expected at character 5 of 'a + * b'");
  EXPECT_EQ(fault("a = b"),
            "s.toml:3:9: error: '=' is not expected at character 3 of 'a = b'\n"
            "  hint: write '==' to compare");
  EXPECT_EQ(fault("(a"),
            "s.toml:3:9: error: ')' is missing for the '(' at character 1 at character 3 of '(a'");
  EXPECT_NE(fault("a < b < c").find("comparisons do not chain at character 7"), std::string::npos);
  EXPECT_NE(fault("sqrt(2)").find("one of: min, max, log2, abs"), std::string::npos);
  EXPECT_NE(fault("min(2)").find("two arguments or more"), std::string::npos);
  EXPECT_NE(fault("1..2 + 3").find("'1..2' is no number"), std::string::npos);
  EXPECT_NE(fault("'open").find("a text is not closed"), std::string::npos);
  EXPECT_NE(fault("").find("ends where a value is needed"), std::string::npos);
  EXPECT_NE(fault("and").find("'and' stands where a value is needed"), std::string::npos);
  EXPECT_NE(fault("vm. + 1").find("a name is missing behind '.'"), std::string::npos);
}

TEST(Expression, TextsOnlyCompareForEquality) {
  const auto fault = [](const std::string& text) {
    return error_of([&] { (void)Expression::parse(text).holds(lookup); });
  };
  EXPECT_NE(fault("strategy + 1 > 0").find("stands where a number is needed at character 10"),
            std::string::npos);
  EXPECT_NE(fault("strategy < 'x'").find("texts compare with == and !="), std::string::npos);
  EXPECT_NE(fault("strategy == 4").find("a text is compared with a number"), std::string::npos);
  EXPECT_NE(fault("strategy").find("a text is no condition"), std::string::npos);
}

TEST(Expression, HostileNestingIsRefusedAndLongChainsAreNot) {
  std::string deep(5000, '(');
  EXPECT_NE(error_of([&] { Expression::parse(deep); }).find("nested deeper than 200"), std::string::npos);
  std::string chain = "1";
  for (int i = 0; i < 4000; ++i) chain += "+1";
  EXPECT_EQ(number_of(chain), 4001);
}

// A law: an expression printed with every parenthesis has the value of the one without.
TEST(Expression, PrecedenceAgreesWithDirectEvaluation) {
  Rng rng = Rng(7).stream("expressions");
  for (int i = 0; i < 500; ++i) {
    const auto draw = [&] { return static_cast<double>(1 + rng.below(9)); };
    const double a = draw();
    const double b = draw();
    const double c = draw();
    const double d = draw();
    const std::string text = number_text(a) + "-" + number_text(b) + "*" + number_text(c) + "/" +
                             number_text(d) + "<" + number_text(d) + "+" + number_text(a);
    EXPECT_EQ(number_of(text), (a - b * c / d < d + a) ? 1 : 0) << text;
  }
}

TEST(Expression, NamesThatFactorsMayHave) {
  EXPECT_TRUE(is_expression_name("vm_count"));
  EXPECT_FALSE(is_expression_name("vm-count"));
  EXPECT_FALSE(is_expression_name("2x"));
  EXPECT_FALSE(is_expression_name("and"));
  EXPECT_FALSE(is_expression_name("log2"));
  EXPECT_FALSE(is_expression_name(""));
}

}  // namespace
}  // namespace sextant::explore
