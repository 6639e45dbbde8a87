// ElasticFlow: admission by the minimum satisfactory share, and GPUs that are left where they save the most.
#include "elastic_plan.h"
#include "layout.h"
#include "sextant/capacity/method.h"

namespace sextant::capacity::planning_method_elastic_flow {
namespace {

class ElasticFlow final : public Method {
 public:
  explicit ElasticFlow(const MethodSetup& setup)
      : settings_{.reserve = setup.parameters.share("reserve"),
                  .by_slack_too = setup.parameters.flag("slack")} {}

  Decision decide(const Snapshot& snapshot) override { return plan_elastic(snapshot, settings_); }

 private:
  ElasticSettings settings_;
};

}  // namespace

std::vector<MethodInfo> plugin() {
  return {{{.id = "elastic-flow",
            .summary = "on owned machines: as few GPUs as keep each due date; refuses what cannot be kept",
            .reference = "Gu et al., ElasticFlow, ASPLOS 2023; at every event rather than in slots",
            .parameters = {share_parameter("reserve", "GPU time that large jobs leave to others", {0, 0, 1}),
                           flag_parameter("slack", "1: tries the order of latest starts too", false)}},
           {"elasticflow"},
           [](const MethodSetup& setup) -> std::unique_ptr<Method> {
             return std::make_unique<ElasticFlow>(setup);
           }}};
}

}  // namespace sextant::capacity::planning_method_elastic_flow
