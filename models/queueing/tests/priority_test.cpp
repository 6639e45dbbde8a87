#include "sextant/queueing/priority.h"

#include <gtest/gtest.h>

#include <cmath>

#include "error_of.h"

namespace sextant::queueing {
namespace {

using sextant::test::error_of;

PriorityClass jobs(const char* name, double rate, double service, double scv = 1) {
  return {name, Hertz{rate}, Seconds{service}, scv};
}

TEST(Priority, CobhamByHand) {
  // rho 0.3 and 0.5, exponential: W0 = 0.3 * 1 + 0.5 * 1 = 0.8, W1 = 0.8 / 0.7, W2 = 0.8 / (0.7 * 0.2).
  const PriorityResult r = priority_mg1({jobs("urgent", 0.3, 1), jobs("batch", 0.5, 1)});
  EXPECT_NEAR(r.classes[0].waiting.value, 0.8 / 0.7, 1e-12);
  EXPECT_NEAR(r.classes[1].waiting.value, 0.8 / 0.14, 1e-12);
  // Equal services: priorities move waiting from one to the other and keep its mean, that of M/M/1.
  EXPECT_NEAR(r.waiting.value, 4, 1e-12);
  EXPECT_NEAR(r.response.value, 5, 1e-12);
  EXPECT_NEAR(r.classes[1].in_system, 0.5 * r.classes[1].response.value, 1e-12);
}

TEST(Priority, OneClassIsPollaczekKhinchine) {
  const PriorityResult r = priority_mg1({jobs("all", 0.8, 1, 0.25)});
  EXPECT_NEAR(r.waiting.value, 2.5, 1e-12);
}

TEST(Priority, WorkConserved) {
  // Kleinrock's law: sum of rho_k W_k is the same in any order.
  const auto a = jobs("a", 0.1, 3, 0.5);
  const auto b = jobs("b", 0.2, 1, 4);
  const auto c = jobs("c", 0.5, 0.6, 0);
  const auto sum = [](const PriorityResult& r) {
    double total = 0;
    for (const auto& k : r.classes) total += k.utilisation * k.waiting.value;
    return total;
  };
  const double expected = sum(priority_mg1({a, b, c}));
  EXPECT_NEAR(sum(priority_mg1({c, a, b})), expected, 1e-12);
  EXPECT_NEAR(sum(priority_mg1({b, c, a})), expected, 1e-12);
}

TEST(Priority, UrgentClassesSurviveAnOverload) {
  const PriorityResult r = priority_mg1({jobs("urgent", 0.4, 1), jobs("batch", 2, 1), jobs("idle", 1, 1)});
  EXPECT_FALSE(r.stable);
  EXPECT_EQ(r.stable_servers, 4);
  // The server never rests: a job finds on average one exponential service under way.
  EXPECT_NEAR(r.classes[0].waiting.value, 1 / 0.6, 1e-12);
  EXPECT_TRUE(r.classes[0].stable);
  EXPECT_FALSE(r.classes[1].stable);
  EXPECT_TRUE(std::isinf(r.classes[2].waiting.value));
  EXPECT_TRUE(std::isinf(r.waiting.value));
}

TEST(Priority, ClassesFromATable) {
  const auto table =
      CsvTable::parse("class,arrival_per_s,service_s,service_scv\na,0.1,2,0.5\nb,0.2,1,\n", "c.csv");
  const auto classes = priority_classes(table);
  ASSERT_EQ(classes.size(), 2U);
  EXPECT_EQ(classes[0].service_scv, 0.5);
  EXPECT_EQ(classes[1].service_scv, 1);
}

TEST(Priority, BadTables) {
  const auto read = [](const char* text) {
    return error_of([&] { priority_classes(CsvTable::parse(text, "c.csv")); });
  };
  EXPECT_NE(read("class,arrival_per_s,service_s\n").find("no rows"), std::string::npos);
  EXPECT_NE(read("class,arrival_per_s\na,1\n").find("service_s"), std::string::npos);
  EXPECT_NE(read("class,arrival_per_s,service_s\na,0,1\n").find("c.csv:2:1"), std::string::npos);
  EXPECT_NE(read("class,arrival_per_s,service_s\na,1,nan\n"), "no error");
  EXPECT_NE(error_of([] { priority_mg1({}); }), "no error");
  EXPECT_NE(error_of([] { priority_mg1({jobs("a", -1, 1)}); }), "no error");
}

}  // namespace
}  // namespace sextant::queueing
