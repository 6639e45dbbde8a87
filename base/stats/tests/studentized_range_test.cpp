#include "sextant/stats/studentized_range.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sextant/core/error.h"
#include "sextant/core/infinity.h"
#include "sextant/core/rng.h"
#include "sextant/stats/distributions.h"

namespace sextant::stats {
namespace {

TEST(StudentizedRange, AgreesWithReferences) {
  // The first from mpmath's adaptive quadrature with 18 digits; the others from
  // scipy.stats.studentized_range, which R's ptukey agrees with to its stated digits.
  EXPECT_NEAR(upper_tail(StudentizedRange{3, 6}, 4.339), 0.05000850982561561, 1e-15);
  EXPECT_NEAR(upper_tail(StudentizedRange{4, 20}, 3.5), 0.09495845054630192, 1e-11);
  EXPECT_NEAR(upper_tail(StudentizedRange{3, 6}, 10), 0.0009783499890867464, 1e-11);
  EXPECT_NEAR(upper_tail(StudentizedRange{10, 5}, 2), 0.8809156418769504, 1e-11);
  EXPECT_NEAR(upper_tail(StudentizedRange{5, 2}, 6), 0.15100261934669712, 1e-11);
  EXPECT_NEAR(upper_tail(StudentizedRange{5, kInfinity}, 3), 0.21087650496352, 1e-11);
  EXPECT_NEAR(upper_quantile(StudentizedRange{3, 6}, 0.05), 4.3391954765202785, 1e-10);
}

TEST(StudentizedRange, OfTwoMeansIsStudentsT) {
  // |a - b| / s has root two times the distribution of |t|, far into the tail and for any df.
  for (const double df : {0.7, 1.0, 2.0, 3.5, 10.0, 100.0, 1e4, 1e7}) {
    for (const double q : {0.01, 0.5, 2.0, 5.0, 12.0, 30.0}) {
      const double want = two_sided_p(StudentT{df}, q / std::sqrt(2.0));
      EXPECT_NEAR(upper_tail(StudentizedRange{2, df}, q) / want, 1, 2e-10) << df << ' ' << q;
    }
  }
}

TEST(StudentizedRange, TailsAddUpAndQuantilesInvert) {
  Rng rng = Rng(1).stream("studentized");
  for (int i = 0; i < 60; ++i) {
    const double groups = 2 + static_cast<double>(rng.below(30));
    const double df = 1 + 40 * rng.uniform();
    const StudentizedRange range{groups, df};
    const double q = 8 * rng.uniform();
    EXPECT_NEAR(upper_tail(range, q) + cdf(range, q), 1, 1e-13);
    const double p = 0.001 + 0.5 * rng.uniform();
    EXPECT_NEAR(upper_tail(range, upper_quantile(range, p)) / p, 1, 1e-11);
    // More means, or less knowledge of the scatter, make a large range likelier.
    EXPECT_GE(upper_tail(StudentizedRange{groups + 1, df}, q), upper_tail(range, q));
  }
}

TEST(StudentizedRange, Edges) {
  EXPECT_EQ(upper_tail(StudentizedRange{3, 5}, 0), 1);
  EXPECT_EQ(upper_tail(StudentizedRange{3, 5}, kInfinity), 0);
  EXPECT_EQ(cdf(StudentizedRange{3, 5}, -1), 0);
  EXPECT_EQ(upper_tail(StudentizedRange{3, kInfinity}, 1e6), 0);
  EXPECT_THROW(upper_tail(StudentizedRange{1, 5}, 2), InputError);
  EXPECT_THROW(upper_tail(StudentizedRange{3, 0}, 2), InputError);
  EXPECT_THROW(upper_tail(StudentizedRange{3, 5}, std::nan("")), InputError);
  EXPECT_THROW(upper_quantile(StudentizedRange{3, 5}, 0), InputError);
}

}  // namespace
}  // namespace sextant::stats
