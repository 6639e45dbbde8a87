#include "slots.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

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
  for (const Json& node : answer.at("nodes")) {
    if (!node.contains("machine")) continue;
    const auto machine = node.at("machine").get<std::string>();
    on.usd_per_s += (machine == "small" ? kSmallUsdHour : kLargeUsdHour) / 3600;
    on.text += (on.text.empty() ? "" : ", ") + node.at("name").get<std::string>() + " " + machine;
  }
  return on;
}

int ended_jobs(const Json& answer) {
  int ended = 0;
  for (const Json& job : answer.at("jobs")) ended += job.contains("ended_unix_s") ? 1 : 0;
  return ended;
}

}  // namespace

int SlotWatch::look(HttpClient& client, int arrived, std::optional<double> next_arrival_s) {
  const int ended = ended_jobs(asked(client, "/v1/jobs?limit=1000")) - ended_before_;
  const NodesOn on = nodes_on(asked(client, "/v1/nodes"));
  const Json plan = asked(client, "/v1/plan");
  const double now_s = plan.at("at_unix_s").get<double>() - begin_unix_s_;
  spent_usd_ = plan.at("spent_usd").get<double>();
  idle_ = on.text.empty();
  if (seen_ != arrived + ended) {
    seen_ = arrived + ended;
    changed_s_ = now_s;
    if (now_) close(now_s);
    if (!undecided_)
      undecided_ = Slot{.begin_s = now_s, .spent_before_usd = spent_usd_, .nodes = {}, .jobs = {}};
  }
  const bool settled = plan.at("steps").empty() && now_s - changed_s_ >= kSettleS;
  if (!settled || !undecided_) return ended;
  now_ = std::exchange(undecided_, std::nullopt);
  now_->nodes = on.text;
  double until = next_arrival_s.value_or(std::numeric_limits<double>::infinity());
  for (const Json& running : plan.at("assignments")) {
    until = std::min(until, running.at("end_unix_s").get<double>() - begin_unix_s_);
    now_->jobs += (now_->jobs.empty() ? "" : " ") + running.at("job").get<std::string>() + "x" +
                  std::to_string(running.at("gpus").get<int>());
  }
  // Nodes without jobs are switched off at once.
  now_->predicted_s = plan.at("assignments").empty() ? 0 : std::max(0.0, until - now_->begin_s);
  now_->predicted_usd = on.usd_per_s * now_->predicted_s;
  return ended;
}

void SlotWatch::close(double now_s) {
  now_->real_s = now_s - now_->begin_s;
  now_->real_usd = spent_usd_ - now_->spent_before_usd;
  // What a node that is just switched off still costs belongs to the slot that needed it.
  if (now_->predicted_usd > 0) {
    slots_.push_back(*now_);
  } else if (!slots_.empty()) {
    slots_.back().real_usd += now_->real_usd;
  }
  now_.reset();
}

void SlotWatch::end() {
  if (now_) close(changed_s_);
}

}  // namespace sextant::test
