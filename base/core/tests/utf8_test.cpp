#include "sextant/core/utf8.h"

#include <gtest/gtest.h>

#include <string>

namespace sextant {
namespace {

// The first and last code point of each length, and the ones beside the gaps.
TEST(Utf8, WellFormed) {
  for (const char* text :
       {"", "a", "\x7f", "\xc2\x80", "\xdf\xbf", "\xe0\xa0\x80", "\xed\x9f\xbf", "\xee\x80\x80",
        "\xef\xbf\xbf", "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf", "a\xc3\xa9z"}) {
    EXPECT_TRUE(is_utf8(text)) << testing::PrintToString(text);
  }
}

TEST(Utf8, IllFormed) {
  for (const char* text : {"\x80", "\xbf", "\xc0\x80", "\xc1\xbf", "\xc2", "\xc2\x41", "\xe0\x9f\xbf",
                           "\xe1\x80", "\xed\xa0\x80", "\xf0\x8f\xbf\xbf", "\xf4\x90\x80\x80",
                           "\xf5\x80\x80\x80", "\xff", "a\xc3", "\xe2\x82\xc0"}) {
    EXPECT_FALSE(is_utf8(text)) << testing::PrintToString(text);
  }
}

TEST(Utf8, NoLeadByteHoweverManyFollow) {
  EXPECT_FALSE(is_utf8(std::string(40, '\xB3')));
  EXPECT_FALSE(is_utf8("\xFF" + std::string(40, '\x80')));
}

}  // namespace
}  // namespace sextant
