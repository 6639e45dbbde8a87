#include "sextant/core/run_list.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

namespace sextant {
namespace {

class CountedSteps final : public Progress {
 public:
  void step(std::int64_t done, std::int64_t total, const std::string& note) override {
    EXPECT_EQ(done, static_cast<std::int64_t>(notes.size()) + 1);
    EXPECT_EQ(total, 5);
    notes.push_back(note);
  }
  std::vector<std::string> notes;
};

TEST(RunList, EveryRunIsMadeOnceWhateverTheThreads) {
  for (const std::size_t threads : {0, 1, 3, 9}) {
    std::vector<int> made(7);
    in_parallel(made.size(), threads, [&](std::size_t i) { ++made[i]; });
    EXPECT_EQ(made, std::vector<int>(7, 1)) << threads;
  }
  in_parallel(0, 2, [](std::size_t) { FAIL(); });
}

TEST(RunList, TheFirstErrorInTheOrderOfTheRunsIsThrown) {
  for (const std::size_t threads : {1, 4}) {
    std::atomic<int> made = 0;
    try {
      in_parallel(1000, threads, [&](std::size_t i) {
        ++made;
        if (i >= 2) throw std::runtime_error(std::to_string(i));
      });
      FAIL();
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "2") << threads;
    }
    EXPECT_LE(made, 2 + static_cast<int>(threads)) << "no other is begun";
  }
}

TEST(RunList, StepsAreCounted) {
  CountedSteps steps;
  work_through({.runs = 5, .threads = 2, .note = "trials", .run = [](std::size_t) {}}, steps);
  EXPECT_EQ(steps.notes, std::vector<std::string>(5, "trials"));
}

TEST(RunList, AStopLeavesTheRestUndone) {
  const std::atomic<bool> finish = true;
  int asked = 0;
  const RunStop by_flag{.finish = &finish};
  const RunStop by_question{.abandon = [&] { return ++asked > 2; }};
  const auto made_until = [](const RunStop& stop) {
    NoProgress quiet;
    int made = 0;
    work_through({.runs = 5, .threads = 1, .stop = stop, .run = [&](std::size_t) { ++made; }}, quiet);
    return made;
  };
  EXPECT_EQ(made_until({}), 5);
  EXPECT_EQ(made_until(by_flag), 0);
  EXPECT_EQ(made_until(by_question), 2);
  EXPECT_EQ(asked, 3) << "not again for each that is left";
}

TEST(RunList, ARunThatIsGivenUpIsTheLastAndNoStep) {
  CountedSteps steps;
  const auto run = [](std::size_t i) {
    if (i == 3) throw RunAbandoned{};
  };
  work_through({.runs = 5, .threads = 1, .run = run}, steps);
  EXPECT_EQ(steps.notes.size(), 3U);
}

}  // namespace
}  // namespace sextant
