#include "queue_texts.h"

#include <array>
#include <cmath>
#include <cstdio>

#include "sextant/core/error.h"
#include "sextant/core/text.h"
#include "sextant/core/unit_text.h"

namespace sextant::ask {
namespace {

std::string three_digits(double value) {
  if (std::isinf(value)) return "unbounded";
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), "%.3g", value);
  return text.data();
}

}  // namespace

double queue_number(const std::string& text, const std::string& field) {
  const auto value = to_number(trim(text));
  if (!value) throw InputError(at_field(field), "'" + text + "' is not a number");
  return *value;
}

Seconds queue_duration(const std::string& text, const std::string& field) {
  if (const auto seconds = to_number(trim(text))) return Seconds{*seconds};
  return parse_seconds(text, at_field(field));
}

std::optional<Seconds> queue_duration(const std::optional<std::string>& text, const std::string& field) {
  return text ? std::optional(queue_duration(*text, field)) : std::nullopt;
}

Hertz queue_rate(const std::string& text, const std::string& field) {
  const auto parts = split(text, '/');
  const double count = queue_number(parts[0], field);
  if (parts.size() == 1) return Hertz{count};
  if (parts.size() > 2)
    throw InputError(at_field(field), "'" + text + "' is not a rate", "as in 0.2 or 12/h");
  const Seconds unit = parse_seconds("1 " + std::string(trim(parts[1])), at_field(field));
  return Hertz{count / unit.value};
}

queueing::WaitTargets queue_targets(const QueueQuestion& question) {
  const auto target = [](const std::optional<std::string>& text, const std::string& field) {
    const std::optional<Seconds> time = queue_duration(text, field);
    if (!time || (time->value >= 0 && std::isfinite(time->value))) return time;
    throw InputError(at_field(field), "the target '" + *text + "' is not a time from 0 on");
  };
  return {.mean_wait = target(question.target_wait, "target_wait"),
          .p95_wait = target(question.target_p95, "target_p95"),
          .mean_response = target(question.target_response, "target_response"),
          .p95_response = target(question.target_p95_response, "target_p95_response")};
}

void refuse_servers_beside_target(const QueueQuestion& question) {
  if (question.servers.empty()) return;
  throw InputError(at_field("servers"),
                   "the number of servers is the answer when a target is given, so it cannot be given too",
                   "leave it out; `max_servers` limits the search");
}

queueing::QueueModel sized_model(queueing::QueueModel model) {
  const bool markov = model == queueing::QueueModel::mm1 || model == queueing::QueueModel::mmc;
  return markov ? queueing::QueueModel::mmc : queueing::QueueModel::ggc;
}

std::string overload_text(const queueing::QueueResult& r) {
  const bool one = r.load.servers == 1;
  std::string text = "unstable: the queue grows without bound, since utilisation " +
                     three_digits(r.utilisation) + " is not below 1 (" + r.model + ", " +
                     std::to_string(r.load.servers) + (one ? " server); " : " servers); ");
  if (!r.stable_servers) return text + "no number of servers up to 10^9 would keep up";
  return text + std::to_string(*r.stable_servers) + " servers would keep up";
}

std::string shortfall_text(const queueing::Sizing& sizing) {
  return "infeasible with " + std::to_string(sizing.result.load.servers) + " servers: " + sizing.tightest;
}

}  // namespace sextant::ask
