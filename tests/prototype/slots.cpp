#include "slots.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "stream.h"

namespace sextant::test {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kSettleS = 0.3;  // for the planner to have looked at what happened

Json asked(HttpClient& client, const std::string& path) {
  return Json::parse(client.call({.path = path}).body);
}

struct NodesOn {
  std::string text;
  double usd_per_s = 0;
};

NodesOn nodes_on(const Json& answer) {
  NodesOn on;
  for (const Json& node : answer["nodes"]) {
    if (!node.contains("machine")) continue;
    const auto machine = node["machine"].get<std::string>();
    on.usd_per_s += (machine == "small" ? kSmallUsdHour : kLargeUsdHour) / 3600;
    on.text += (on.text.empty() ? "" : ", ") + node["name"].get<std::string>() + " " + machine;
  }
  return on;
}

int ended_jobs(const Json& answer) {
  int ended = 0;
  for (const Json& job : answer["jobs"]) ended += job.contains("ended_unix_s") ? 1 : 0;
  return ended;
}

}  // namespace

int SlotWatch::look(HttpClient& client, int arrived, std::optional<double> next_arrival_s) {
  const int ended = ended_jobs(asked(client, "/v1/jobs?limit=1000"));
  const NodesOn on = nodes_on(asked(client, "/v1/nodes"));
  const Json plan = asked(client, "/v1/plan");
  const double now_s = plan["at_unix_s"].get<double>() - begin_unix_s_;
  spent_usd_ = plan["spent_usd"].get<double>();
  idle_ = on.text.empty();
  if (seen_ != arrived + ended) {
    seen_ = arrived + ended;
    changed_s_ = now_s;
  }
  const bool settled = plan["steps"].empty() && now_s - changed_s_ >= kSettleS;
  if (!settled || events_ == seen_) return ended;
  if (now_) {
    now_->real_s = now_s - now_->begin_s;
    now_->real_usd = spent_usd_ - spent_at_begin_;
    if (now_->predicted_usd > 0 || now_->real_usd > 0) slots_.push_back(*now_);
  }
  events_ = seen_;
  spent_at_begin_ = spent_usd_;
  now_ = Slot{.begin_s = now_s, .nodes = on.text, .jobs = {}};
  double until = next_arrival_s.value_or(std::numeric_limits<double>::infinity());
  for (const Json& running : plan["assignments"]) {
    until = std::min(until, running["end_unix_s"].get<double>() - begin_unix_s_);
    now_->jobs += (now_->jobs.empty() ? "" : " ") + running["job"].get<std::string>() + "x" +
                  std::to_string(running["gpus"].get<int>());
  }
  // Nodes without jobs are switched off at once.
  now_->predicted_s = plan["assignments"].empty() ? 0 : std::max(0.0, until - now_s);
  now_->predicted_usd = on.usd_per_s * now_->predicted_s;
  return ended;
}

}  // namespace sextant::test
