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

TEST(RedactUrlPassword, HidesThePasswordOfAnAddress) {
  EXPECT_EQ(redact_url_password("postgresql://lab:secret@db/studies"), "postgresql://lab:***@db/studies");
  EXPECT_EQ(redact_url_password("postgresql://:secret@db"), "postgresql://:***@db");
  EXPECT_EQ(redact_url_password("postgres://a:p@ss/w:rd@db:5432/x?y=z"), "postgres://a:***@db:5432/x?y=z");
}

TEST(RedactUrlPassword, WhereverItStands) {
  EXPECT_EQ(redact_url_password("sextant explore s.toml --store postgresql://u:p@h/d --seed 1"),
            "sextant explore s.toml --store postgresql://u:***@h/d --seed 1");
  EXPECT_EQ(redact_url_password("from postgresql://u:p@h and 'postgresql://v:q@i'"),
            "from postgresql://u:***@h and 'postgresql://v:***@i'");
}

TEST(RedactUrlPassword, HidesTheParameter) {
  EXPECT_EQ(redact_url_password("postgresql://db/x?user=u&password=p&sslmode=require"),
            "postgresql://db/x?user=u&password=***&sslmode=require");
  EXPECT_EQ(redact_url_password("host=db password='it\\'s me' user=u"), "host=db password=*** user=u");
  EXPECT_EQ(redact_url_password("sslpassword=p"), "sslpassword=***");
}

TEST(RedactUrlPassword, LeavesWhatIsNoSecret) {
  for (const char* text : {"", "postgresql://lab@db/studies", "http://host:8080/a/b", "a@b", "x: y@z",
                           "password= next", "at 12:30 user@host"}) {
    EXPECT_EQ(redact_url_password(text), text);
  }
}

}  // namespace
}  // namespace sextant
