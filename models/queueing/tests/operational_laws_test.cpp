#include "sextant/queueing/operational_laws.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "error_of.h"

namespace sextant::queueing {
namespace {

double value_of(const std::vector<Derived>& all, const std::string& quantity) {
  const auto found = std::ranges::find(all, quantity, &Derived::quantity);
  return found == all.end() ? -1 : found->value;
}

TEST(OperationalLaws, Little) {
  const auto r = operational_laws({.period = Seconds{600}, .completions = 120, .residence = Seconds{30}});
  EXPECT_DOUBLE_EQ(value_of(r, "throughput"), 0.2);
  EXPECT_DOUBLE_EQ(value_of(r, "number in the system"), 6);
}

TEST(OperationalLaws, ADevice) {
  // 120 jobs in 600 s, 4 visits each, busy for 240 s: U = 0.4, S = 0.5 s, D = 2 s = U / X, X_k = 0.8 /s.
  const auto r =
      operational_laws({.period = Seconds{600}, .completions = 120, .busy = Seconds{240}, .visits = 4});
  EXPECT_DOUBLE_EQ(value_of(r, "utilisation"), 0.4);
  EXPECT_DOUBLE_EQ(value_of(r, "service time"), 0.5);
  EXPECT_DOUBLE_EQ(value_of(r, "demand"), 2);
  EXPECT_DOUBLE_EQ(value_of(r, "throughput of the device"), 0.8);
}

TEST(OperationalLaws, UtilisationFromServiceTime) {
  const auto r = operational_laws({.period = Seconds{10}, .completions = 20, .service = Seconds{0.3}});
  EXPECT_DOUBLE_EQ(value_of(r, "utilisation"), 0.6);
}

TEST(OperationalLaws, InteractiveResponse) {
  // 40 users, 2 jobs/s, thinking 15 s: R = 40 / 2 - 15 = 5 s.
  const auto r =
      operational_laws({.period = Seconds{60}, .completions = 120, .users = 40, .think = Seconds{15}});
  EXPECT_DOUBLE_EQ(value_of(r, "response time"), 5);
}

TEST(OperationalLaws, ThroughputOfALoop) {
  const auto r = operational_laws({.residence = Seconds{5}, .users = 40, .think = Seconds{15}});
  EXPECT_DOUBLE_EQ(value_of(r, "throughput"), 2);
  EXPECT_DOUBLE_EQ(value_of(r, "number in the system"), 10);
  EXPECT_DOUBLE_EQ(value_of(r, "number of users"), 40);
}

TEST(OperationalLaws, BadInput) {
  using sextant::test::error_of;
  EXPECT_NE(error_of([] { operational_laws({}); }).find("nothing follows"), std::string::npos);
  EXPECT_NE(error_of([] { operational_laws({.period = Seconds{0}, .completions = 1}); }), "no error");
  EXPECT_NE(error_of([] { operational_laws({.period = Seconds{1}, .completions = -1}); }), "no error");
  EXPECT_NE(error_of([] { operational_laws({.period = Seconds{1}, .busy = Seconds{2}}); }).find("busy"),
            std::string::npos);
  EXPECT_NE(error_of([] {
              operational_laws({.period = Seconds{1}, .completions = 10, .users = 1, .think = Seconds{5}});
            }).find("negative"),
            std::string::npos);
}

}  // namespace
}  // namespace sextant::queueing
