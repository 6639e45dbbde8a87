#include "sextant/core/progress.h"

#include <gtest/gtest.h>

#include <sstream>

namespace sextant {
namespace {

using std::chrono::steady_clock;

steady_clock::time_point fake_time;
steady_clock::time_point fake_now() {
  return fake_time;
}

TEST(LineProgress, StaysQuietForTwoSeconds) {
  fake_time = {};
  std::ostringstream out;
  LineProgress progress(out, fake_now);
  fake_time += std::chrono::milliseconds(1900);
  progress.step(1, 10, "");
  EXPECT_EQ(out.str(), "");
}

TEST(LineProgress, ThenShowsCountNoteAndTimeLeft) {
  fake_time = {};
  std::ostringstream out;
  LineProgress progress(out, fake_now);
  fake_time += std::chrono::seconds(3);
  progress.step(2, 10, "best 1.2 s");
  // 3 s for 2 of 10: 12 s for the other eight.
  EXPECT_EQ(out.str(), "\r\x1b[K2/10  best 1.2 s  12.0 s left");
}

TEST(LineProgress, ErasesItsLineAtTheEnd) {
  fake_time = {};
  std::ostringstream out;
  {
    LineProgress progress(out, fake_now);
    fake_time += std::chrono::seconds(3);
    progress.step(10, 10, "");
  }
  EXPECT_EQ(out.str(), "\r\x1b[K10/10\r\x1b[K");
}

}  // namespace
}  // namespace sextant
