#include "utf8.h"

#include <gtest/gtest.h>

#include <string>

namespace sextant {
namespace {

TEST(Utf8, AcceptsOneToFourBytes) {
  EXPECT_TRUE(is_utf8("plain"));
  EXPECT_TRUE(is_utf8("\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80"));  // é, €, an emoji
  EXPECT_TRUE(is_utf8(""));
}

TEST(Utf8, RefusesWhatIsNoLeadByteHoweverManyFollow) {
  EXPECT_FALSE(is_utf8("\xB3"));
  EXPECT_FALSE(is_utf8(std::string(40, '\xB3')));
  EXPECT_FALSE(is_utf8("\xFF" + std::string(40, '\x80')));
}

TEST(Utf8, RefusesTruncatedOverlongAndSurrogates) {
  EXPECT_FALSE(is_utf8("\xC3"));
  EXPECT_FALSE(is_utf8("\xC0\xAF"));
  EXPECT_FALSE(is_utf8("\xE0\x80\xAF"));
  EXPECT_FALSE(is_utf8("\xED\xA0\x80"));
  EXPECT_FALSE(is_utf8("\xF4\x90\x80\x80"));
}

}  // namespace
}  // namespace sextant
