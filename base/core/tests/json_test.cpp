#include "sextant/core/json.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "sextant/core/error.h"

namespace sextant {
namespace {

std::string position_of(const std::string& text) {
  try {
    parse_json(text, "f.json");
  } catch (const InputError& error) {
    return error.where().str();
  }
  return "no error";
}

TEST(Json, KeepsTheOrderOfKeys) {
  EXPECT_EQ(parse_json(R"({"b":1,"a":2})", "f").dump(), R"({"b":1,"a":2})");
}

TEST(Json, ErrorsHaveLineAndColumn) {
  EXPECT_EQ(position_of("{\n  \"a\": oops\n}"), "f.json:2:8");
  EXPECT_EQ(position_of(""), "f.json:1:1");
  EXPECT_EQ(position_of("[1, 2"), "f.json:1:6");
}

TEST(Json, RefusesNestingThatWouldExhaustTheStack) {
  EXPECT_EQ(position_of(std::string(100000, '[')), "f.json:1:201");
}

TEST(Json, BracketsInTextDoNotCountAsNesting) {
  const std::string brackets(1000, '[');
  EXPECT_EQ(parse_json("[\"" + brackets + "\\\"\"]", "f").at(0).get<std::string>(), brackets + "\"");
}

TEST(Json, NumbersOutOfRangeAreInputErrors) {
  EXPECT_EQ(position_of("[1,\n 1e999]"), "f.json:2:2");
}

std::string hint_of(const std::string& text) {
  try {
    parse_json(text, "f.json");
  } catch (const InputError& error) {
    return error.hint();
  }
  return "no error";
}

TEST(Json, SyntaxErrorsHaveAHint) {
  EXPECT_EQ(hint_of("[1, 2"), "the file may be cut off");
  EXPECT_EQ(hint_of("{a: 1}"), "JSON has names and texts in double quotes, and a comma between two values");
  EXPECT_EQ(hint_of(""), "the file is empty");
}

TEST(Json, OfTheLibrarysTextTheReasonIsLeft) {
  EXPECT_EQ(json_reason("[json.exception.parse_error.101] parse error at line 1, column 2: a reason: more"),
            "a reason: more");
  EXPECT_EQ(json_reason("[json.exception.type_error.316] invalid UTF-8 byte at index 3: 0xE9"),
            "invalid UTF-8 byte at index 3: 0xE9");
  EXPECT_EQ(json_reason("anything else: x"), "anything else: x");
  EXPECT_EQ(json_reason("syntax error while parsing value - unexpected end"), "unexpected end");
}

}  // namespace
}  // namespace sextant
