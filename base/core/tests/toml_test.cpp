#include "sextant/core/toml.h"

#include <gtest/gtest.h>

#include "error_of.h"

namespace sextant {
namespace {

using test::error_of;

TEST(Toml, ReadsScalarsListsAndSections) {
  auto doc =
      parse_toml("name = 'x'\ncount = 3\nratio = 2\nyes = true\nlist = ['a', 'b']\n[inner]\nn = 1.5\n", "f");
  EXPECT_EQ(doc.text("name"), "x");
  EXPECT_EQ(doc.integer("count"), 3);
  EXPECT_EQ(doc.number("ratio"), 2.0);
  EXPECT_TRUE(doc.boolean("yes"));
  EXPECT_EQ(doc.texts("list"), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(doc.section("inner").number("n"), 1.5);
  EXPECT_FALSE(doc.maybe_text("absent").has_value());
  EXPECT_NO_THROW(doc.finish());
}

TEST(Toml, ReadsArraysOfSections) {
  auto doc = parse_toml("[[gpu]]\nid = 'a'\n[[gpu]]\nid = 'b'\n", "f");
  auto gpus = doc.sections("gpu");
  ASSERT_EQ(gpus.size(), 2U);
  EXPECT_EQ(gpus[1].text("id"), "b");
  EXPECT_TRUE(doc.sections("cpu").empty());
}

TEST(Toml, LettersBeyondAsciiStandInStringsAndCommentsOnly) {
  auto doc =
      parse_toml("\xEF\xBB\xBF# é\na = \"é \\\" é\" # é\nb = 'é'\n\"é\" = \"\"\"\né \" é\"\"\"\n", "f");
  EXPECT_EQ(doc.text("a"), "é \" é");
  EXPECT_EQ(doc.text("é"), "é \" é");
  EXPECT_EQ(error_of([] { (void)parse_toml("a = 'é'\n\nclé = 1\n", "f.toml"); }),
            "f.toml:3:3: error: a letter beyond ASCII stands outside of quotes\n"
            "  hint: put the name or value in quotes");
  EXPECT_NE(error_of([] { (void)parse_toml("a = 'é\nb = é\n", "f.toml"); }), "");
}

TEST(Toml, AKeyOfManyThousandPartsIsRefused) {
  std::string deep = "x";
  for (int i = 0; i < 40'000; ++i) deep += i % 2 == 0 ? ".x" : " . \"y\"";
  for (const std::string& text : {deep + " = 1\n", "a = 1\n[" + deep + "]\n", "a = { " + deep + " = 1 }\n"}) {
    EXPECT_NE(error_of([&] { (void)parse_toml(text, "f.toml"); }).find("this key has more than 32 parts"),
              std::string::npos);
  }
  std::string numbers = "a = [";
  for (int i = 0; i < 100; ++i) numbers += "1.5, ";
  EXPECT_EQ(parse_toml(numbers + "2.5]\nb.c.d = 1\n", "f").numbers("a").size(), 101U);
}

TEST(Toml, AMissingKeyPointsAtItsSection) {
  EXPECT_EQ(error_of([] { (void)parse_toml("\n[a]\nx = 1\n", "f.toml").section("a").text("name"); }),
            "f.toml:2:1: error: key 'name' is missing here");
}

TEST(Toml, AMissingKeyIsComparedWithTheStrangersAroundIt) {
  EXPECT_EQ(error_of([] { (void)parse_toml("fp23 = '1 TFLOP/s'\n", "f.toml").text("fp32"); }),
            "f.toml:1:1: error: key 'fp32' is missing here\n  hint: is 'fp23' on line 1 meant to be it?");
}

TEST(Toml, AWrongTypePointsAtTheValue) {
  EXPECT_EQ(error_of([] { (void)parse_toml("count = 'three'\n", "f.toml").integer("count"); }),
            "f.toml:1:9: error: 'count' must be a whole number");
  EXPECT_EQ(error_of([] { (void)parse_toml("x = nan\n", "f.toml").number("x"); }),
            "f.toml:1:5: error: 'x' must be a finite number");
}

TEST(Toml, AMisspeltKeyIsAnErrorWithAHint) {
  auto doc = parse_toml("memmory = '16 GB'\n", "f.toml");
  (void)doc.maybe_text("memory");
  EXPECT_EQ(error_of([&] { doc.finish(); }),
            "f.toml:1:11: error: unknown key 'memmory'\n  hint: did you mean 'memory'?");
  auto other = parse_toml("tardines = '1 USD/h'\n", "f.toml");
  EXPECT_FALSE(other.has("tardiness"));  // a reader that asks first, and reads only what is there
  EXPECT_EQ(error_of([&] { other.finish(); }),
            "f.toml:1:12: error: unknown key 'tardines'\n  hint: did you mean 'tardiness'?");
}

TEST(Toml, SyntaxErrorsHavePositions) {
  EXPECT_EQ(error_of([] { parse_toml("a = 1\nb = = 2\n", "f.toml"); }).substr(0, 18), "f.toml:2:5: error:");
  const std::string broken = error_of([] { parse_toml("{}", "f.toml"); });
  EXPECT_TRUE(broken.starts_with("f.toml:1:1: error: the TOML is broken here: expected")) << broken;
}

TEST(Toml, KeysKeepTheOrderOfTheFile) {
  EXPECT_EQ(parse_toml("b = 1\na = 2\n", "f").keys(), (std::vector<std::string>{"b", "a"}));
}

TEST(Toml, ASectionOutlivesItsDocument) {
  const auto inner = [] { return parse_toml("[a]\nx = 7\n", "f").section("a"); };
  EXPECT_EQ(inner().integer("x"), 7);
}

TEST(Toml, ScalarsAreOneOrAList) {
  auto doc = parse_toml("a = 1\nb = [1, \"x\", true, 0.5]\nc = []\nd = [[1]]\ne = {f = 1}\n", "f.toml");
  EXPECT_EQ(doc.scalars("a"), std::vector<std::string>{"1"});
  EXPECT_EQ(doc.scalars("b"), (std::vector<std::string>{"1", "x", "true", "0.5"}));
  EXPECT_EQ(doc.scalars("c"), std::vector<std::string>{});
  EXPECT_TRUE(doc.is_list("c"));
  EXPECT_FALSE(doc.is_list("a"));
  EXPECT_EQ(error_of([&] { (void)doc.scalars("d"); }),
            "f.toml:4:6: error: 'd' must be a number, a text, true or false, or a list of these");
  EXPECT_EQ(error_of([&] { (void)doc.scalar("e"); }),
            "f.toml:5:5: error: 'e' must be a number, a text, true or false");
}

}  // namespace
}  // namespace sextant
