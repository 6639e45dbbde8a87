#include "campaign_texts.h"

#include <gmock/gmock.h>

namespace sextant::measure {
namespace {

using testing::HasSubstr;

TrialResult known_to(double half_width) {
  TrialResult result;
  result.measured = 10;
  result.rounds = 1;
  result.iteration_s.median = 1;
  result.median_interval = {1 - half_width, 1 + half_width};
  return result;
}

// 2.04 % rounds to what was asked, and is not it.
TEST(CampaignTexts, AMissIsNotRoundedAway) {
  const CampaignOptions options{.supervise = {}, .precision = 0.02};
  const auto ending = [&](double half_width) {
    const TrialResult result = known_to(half_width);
    return ending_text({&result}, CampaignEnd::budget, options, 3);
  };
  EXPECT_THAT(ending(0.0204), HasSubstr("the median is known to a little more than 2 %, and 2 % was asked"));
  EXPECT_THAT(ending(0.034), HasSubstr("the median is known to 3.4 %, and 2 % was asked"));
}

TEST(CampaignTexts, AnInterruptionBeforeAnythingIsSaid) {
  const TrialResult nothing;
  EXPECT_THAT(ending_text({&nothing}, CampaignEnd::interrupted, {}, 5),
              HasSubstr("Interrupted after 5 s, before the first round was over"));
}

}  // namespace
}  // namespace sextant::measure
