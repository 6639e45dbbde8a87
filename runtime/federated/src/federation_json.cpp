// Federations as text, all fields written out: what its processes do depends on this file alone.
#include <array>
#include <nlohmann/json.hpp>

#include "sextant/core/plugin_text.h"
#include "sextant/federated/federation.h"
#include "sextant/measure/run_file_reader.h"

namespace sextant::federated {
namespace {

constexpr const char* kFederationSchema = "sextant.federation/2";
constexpr std::int64_t kMostCount = 1'000'000'000;

struct NamedBreakage {
  Breakage how;
  const char* name;
};
constexpr std::array<NamedBreakage, 6> kBreakages = {{{Breakage::nan, "nan"},
                                                      {Breakage::wrong_shape, "wrong-shape"},
                                                      {Breakage::too_large, "too-large"},
                                                      {Breakage::silent, "silent"},
                                                      {Breakage::foreign_id, "foreign-id"},
                                                      {Breakage::wrong_steps, "wrong-steps"}}};

Breakage breakage_from(const std::string& name, const SourcePos& at) {
  std::vector<std::string> names;
  for (const NamedBreakage& known : kBreakages) {
    if (name == known.name) return known.how;
    names.emplace_back(known.name);
  }
  throw InputError(at, "no client breaks in the way '" + name + "'", "one of " + join(names, ", "));
}

Json size_json(const std::optional<std::int64_t>& value) {
  return value ? Json(*value) : Json();
}

class FederationReader : measure::RunFileReader {
 public:
  explicit FederationReader(std::string file) : RunFileReader(file), at_{std::move(file)} {}

  [[nodiscard]] Federation read(const Json& json) const {
    check_schema(json, kFederationSchema, "a federation", "sextant federate");
    only(json, {"schema",         "net",
                "sizes",          "data",
                "clients",        "rounds",
                "per_round",      "sampler",
                "strategy",       "epochs",
                "local_steps",    "rule",
                "attack",         "attackers",
                "attackers_hold", "test_samples",
                "broken",         "speed",
                "available",      "learning_rate",
                "momentum",       "bandwidth",
                "drop_out",       "deadline_s",
                "hosts",          "threads",
                "transport",      "timeout_s",
                "seed",           "spans",
                "traceparent",    "worker_momentum",
                "over_select",    "availability_trace"});
    Federation f;
    read_training(json, f);
    read_rounds(json, f);
    read_clients(json, f);
    read_running(json, f);
    return f;
  }

 private:
  void read_training(const Json& json, Federation& f) const {
    f.net = text(json, "net");
    const Json& sizes = member(json, "sizes");
    only(sizes, {"batch", "image", "classes"});
    f.sizes = {.batch = count(sizes, "batch", 1, kMostCount),
               .image = maybe_count(sizes, "image"),
               .classes = maybe_count(sizes, "classes")};
    f.data = text(json, "data");
    f.epochs = at_least_zero(json, "epochs");
    f.local_steps = count(json, "local_steps", 0, kMostCount);
    f.learning_rate = at_least_zero(json, "learning_rate");
    f.momentum = at_least_zero(json, "momentum");
  }
  void read_rounds(const Json& json, Federation& f) const {
    f.clients = count(json, "clients", 1, kMostCount);
    f.rounds = count(json, "rounds", 1, kMostCount);
    f.per_round = count(json, "per_round", 0, kMostCount);
    f.sampler = text(json, "sampler");
    f.strategy = text(json, "strategy");
    f.rule = text(json, "rule");
    f.attack = text(json, "attack");
    f.attackers = at_least_zero(json, "attackers");
    f.attackers_hold = text(json, "attackers_hold");
    f.worker_momentum = at_least_zero(json, "worker_momentum");
    f.test_samples = count(json, "test_samples", 0, kMostCount);
  }
  void read_clients(const Json& json, Federation& f) const {
    for (const Json& item : list(json, "broken")) {
      if (!item.is_string()) fail("broken", "holds something that is no text");
      f.broken.push_back(broken_client_from(item.get<std::string>(), at_));
    }
    f.speed = text(json, "speed");
    f.bandwidth = text(json, "bandwidth");
    f.available = at_least_zero(json, "available");
    f.drop_out = at_least_zero(json, "drop_out");
    f.deadline_s = at_least_zero(json, "deadline_s");
    if (json.contains("over_select")) f.over_select = at_least_zero(json, "over_select");
    if (json.contains("availability_trace")) f.availability_trace = text(json, "availability_trace");
  }
  void read_running(const Json& json, Federation& f) const {
    f.hosts = count(json, "hosts", 1, kMostCount);
    f.threads = count(json, "threads", 1, kMostCount);
    f.transport = text(json, "transport");
    f.timeout_s = positive(json, "timeout_s");
    const Json& seed = value(json, "seed");
    if (!seed.is_number_unsigned()) fail("seed", "is not a whole number from 0 on");
    f.seed = seed.get<std::uint64_t>();
    f.spans = flag(json, "spans");
    f.traceparent = text(json, "traceparent");
  }

  SourcePos at_;
};

}  // namespace

std::string breakage_text(Breakage how) {
  for (const NamedBreakage& known : kBreakages) {
    if (known.how == how) return known.name;
  }
  return {};
}

BrokenClient broken_client_from(const std::string& text, const SourcePos& at) {
  const PluginText parts = split_plugin_text(text, at);
  const PluginInfo info{
      .id = parts.id,
      .summary = {},
      .reference = {},
      .parameters = {count_parameter("client", "its number", {0, 0, 1e9}),
                     count_parameter("round", "the first in which it is broken", {1, 1, 1e9})}};
  const Parameters parameters = parameters_of(info, parts, at);
  return {.how = breakage_from(parts.id, at),
          .client = parameters.count("client"),
          .from_round = parameters.count("round")};
}

namespace {

Json always_written(const Federation& f) {
  Json broken = Json::array();
  for (const BrokenClient& client : f.broken) {
    broken.push_back(breakage_text(client.how) + ":client=" + std::to_string(client.client) +
                     ":round=" + std::to_string(client.from_round));
  }
  return {{"schema", kFederationSchema},
          {"net", f.net},
          {"sizes",
           {{"batch", f.sizes.batch},
            {"image", size_json(f.sizes.image)},
            {"classes", size_json(f.sizes.classes)}}},
          {"data", f.data},
          {"clients", f.clients},
          {"rounds", f.rounds},
          {"per_round", f.per_round},
          {"sampler", f.sampler},
          {"strategy", f.strategy},
          {"epochs", f.epochs},
          {"local_steps", f.local_steps},
          {"learning_rate", f.learning_rate},
          {"momentum", f.momentum},
          {"rule", f.rule},
          {"attack", f.attack},
          {"attackers", f.attackers},
          {"attackers_hold", f.attackers_hold},
          {"worker_momentum", f.worker_momentum},
          {"test_samples", f.test_samples},
          {"broken", std::move(broken)},
          {"speed", f.speed},
          {"bandwidth", f.bandwidth},
          {"available", f.available},
          {"drop_out", f.drop_out},
          {"deadline_s", f.deadline_s},
          {"hosts", f.hosts},
          {"threads", f.threads},
          {"transport", f.transport},
          {"timeout_s", f.timeout_s},
          {"seed", f.seed},
          {"spans", f.spans},
          {"traceparent", f.traceparent}};
}

}  // namespace

// The rest where it says something, so that federations of before have the text that they had.
Json to_json(const Federation& f) {
  Json json = always_written(f);
  if (f.over_select > 0) json["over_select"] = f.over_select;
  if (!f.availability_trace.empty()) json["availability_trace"] = f.availability_trace;
  return json;
}

Federation federation_from_json(const std::string& text, const std::string& file_name) {
  return FederationReader(file_name).read(parse_json(text, file_name));
}

}  // namespace sextant::federated
