#include "sextant/report/study_report.h"

#include <gmock/gmock.h>

namespace sextant::report {
namespace {

TEST(StudyReport, WhatIsWaitedForAfterAnInterruption) {
  EXPECT_EQ(waiting_line({3}), "Waiting for trial 3, which runs; press Ctrl-C again to stop it.");
  EXPECT_EQ(waiting_line({3, 5}), "Waiting for trials 3, 5, which run; press Ctrl-C again to stop them.");
}

}  // namespace
}  // namespace sextant::report
