#include "sextant/federated/population.h"

#include <algorithm>
#include <cmath>

#include "sextant/core/plugin_text.h"
#include "sextant/core/text.h"

namespace sextant::federated {
namespace {

constexpr ParameterRange kPositive{.fallback = 1000, .low = 1e-9, .high = 1e15};

const PluginInfo& distribution_info(const std::string& id, const SourcePos& at) {
  std::vector<std::string> names;
  for (const PluginInfo& info : distributions()) {
    if (info.id == fold_name(id)) return info;
    names.push_back(info.id);
  }
  throw InputError(at, "unknown distribution '" + id + "'", "one of " + join(names, ", "));
}

std::vector<double> given_values(const std::string& text, const SourcePos& at) {
  std::vector<double> values;
  for (const std::string& part : split(text, '/')) {
    const std::optional<double> value = to_number(part);
    if (!value || !(*value >= kPositive.low && *value <= kPositive.high)) {
      throw InputError(at, "'" + part + "' is no number above 0",
                       "values stand with / between them, as in 1e6/2e6");
    }
    values.push_back(*value);
  }
  return values;
}

Rng client_stream(const Federation& federation, const char* name, std::int64_t client) {
  return Rng(federation.seed).stream(name, static_cast<std::uint64_t>(client));
}

bool drawn(const Federation& federation, const char* name, std::int64_t client, std::int64_t round) {
  Rng rng = client_stream(federation, name, client).stream("round", static_cast<std::uint64_t>(round));
  return rng.uniform() < (name[0] == 'a' ? federation.available : federation.drop_out);
}

}  // namespace

const std::vector<PluginInfo>& distributions() {
  static const std::vector<PluginInfo> table = {
      {.id = "constant",
       .summary = "always the same",
       .reference = "",
       .parameters = {number_parameter("value", "the value", kPositive)}},
      {.id = "uniform",
       .summary = "every value between two alike",
       .reference = "",
       .parameters = {number_parameter("low", "the least value", kPositive),
                      number_parameter("high", "the largest value", kPositive)}},
      {.id = "lognormal",
       .summary = "its logarithm is normal",
       .reference = "",
       .parameters = {number_parameter("median", "half of the values are below", kPositive),
                      number_parameter("sigma", "deviation of the logarithm", {0.5, 0, 10})}},
      {.id = "given",
       .summary = "what is said for each client; after the last value they begin anew",
       .reference = "",
       .parameters = {text_parameter("values", "numbers with / between them: 1e6/2e6")}},
      {.id = "exponential",
       .summary = "many small values and few large ones",
       .reference = "",
       .parameters = {number_parameter("mean", "the mean", kPositive)}}};
  return table;
}

Distribution::Distribution(const std::string& text, const SourcePos& at) {
  const PluginText parts = split_plugin_text(text, at);
  const PluginInfo& info = distribution_info(parts.id, at);
  const Parameters parameters = parameters_of(info, parts, at);
  id_ = info.id;
  if (id_ == "given") {
    given_ = given_values(parameters.text("values"), at);
    return;
  }
  first_ = parameters.value(0);
  if (info.parameters.size() > 1) second_ = parameters.value(1);
  if (id_ == "uniform" && second_ < first_) {
    throw InputError(at, "'" + text + "' ends below its start", "give low and high in this order");
  }
}

double Distribution::of_client(std::int64_t client, Rng& rng) const {
  if (!given_.empty()) return given_[static_cast<std::size_t>(client) % given_.size()];
  if (id_ == "constant") return first_;
  if (id_ == "uniform") return first_ + (second_ - first_) * rng.uniform();
  if (id_ == "lognormal") return first_ * std::exp(second_ * rng.normal());
  return std::max(rng.exponential(first_), first_ * 1e-6);  // nobody is infinitely slow
}

std::vector<ClientTraits> drawn_traits(const Federation& federation) {
  const Distribution speed(federation.speed, at_field("speed"));
  const Distribution bandwidth(federation.bandwidth, at_field("bandwidth"));
  std::vector<ClientTraits> traits;
  for (std::int64_t client = 0; client < federation.clients; ++client) {
    Rng of_speed = client_stream(federation, "speed", client);
    Rng of_bandwidth = client_stream(federation, "bandwidth", client);
    traits.push_back({speed.of_client(client, of_speed), bandwidth.of_client(client, of_bandwidth)});
  }
  return traits;
}

double client_seconds(const ClientTraits& traits, double trained_samples, double model_bytes) {
  return trained_samples / traits.samples_per_s + 2 * model_bytes / traits.bytes_per_s;
}

bool is_available(const Federation& federation, std::int64_t client, std::int64_t round) {
  return federation.available >= 1 || drawn(federation, "available", client, round);
}

bool drops_out(const Federation& federation, std::int64_t client, std::int64_t round) {
  return federation.drop_out > 0 && drawn(federation, "drop out", client, round);
}

}  // namespace sextant::federated
