#include "sextant/core/visible_text.h"

#include <gtest/gtest.h>

namespace sextant {
namespace {

TEST(VisibleText, WhatCommandsATerminalIsSpeltOut) {
  EXPECT_EQ(visible("\x1b[31mred\x1b[0m"), "\\x1b[31mred\\x1b[0m");
  EXPECT_EQ(visible("a\rb\bc\x07 d\x7f"), "a\\x0db\\x08c\\x07 d\\x7f");
  EXPECT_EQ(visible(std::string_view("a\0b", 3)), "a\\x00b");
  EXPECT_EQ(visible("\xc2\x9b"
                    "2J"),
            "\\xc2\\x9b2J");  // CSI in one character
  EXPECT_EQ(visible("a\xe2\x80\xae"
                    "b"),
            "a\\xe2\\x80\\xaeb");  // from right to left
}

TEST(VisibleText, CodePointsThatAreNoCharactersAreSpeltOut) {
  EXPECT_EQ(visible("a\xef\xbf\xbe\xef\xbf\xbf"), "a\\xef\\xbf\\xbe\\xef\\xbf\\xbf");
  EXPECT_EQ(visible("\xef\xbf\xbd"), "\xef\xbf\xbd") << "U+FFFD stands for what was replaced";
}

TEST(VisibleText, LineBreaksAreKeptOnDemand) {
  EXPECT_EQ(visible("a\nb\tc"), "a\\nb\\tc");
  EXPECT_EQ(visible("a\nb", LineBreaks::kept), "a\nb");
}

TEST(VisibleText, OtherTextIsAsItWas) {
  for (const char* text : {"", "plain", "naïve café", "≥ 90 % – “ja”", "日本", "\xc2\xa0", "C:\\new"}) {
    EXPECT_EQ(visible(text), text);
  }
}

TEST(VisibleText, BytesThatAreNotUtf8AreSpeltOut) {
  EXPECT_EQ(visible("caf\xe9"), "caf\\xe9");
  EXPECT_EQ(visible("\xff\xfe"), "\\xff\\xfe");
}

}  // namespace
}  // namespace sextant
