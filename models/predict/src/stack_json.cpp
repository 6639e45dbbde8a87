// Stacks as text: coefficients by name and as plain values, departures as factors, effects by group.
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "sextant/core/json_reader.h"
#include "sextant/predict/stack.h"

namespace sextant::predict {
namespace {

constexpr const char* kStackSchema = "sextant.stack/1";
constexpr double kNegligible = 2e-4;  // of a logarithm: a dozen of these are far below any error

Json coefficients_json(const Coefficients& c) {
  Json json = Json::object();
  for (std::size_t i = 0; i < c.size(); ++i) json[coefficient_table()[i].name] = rounded(std::exp(c[i]));
  return json;
}

// Factors; what is not named is 1.
Json departure_json(const Coefficients& c) {
  Json json = Json::object();
  for (std::size_t i = 0; i < c.size(); ++i) {
    if (std::abs(c[i]) >= kNegligible) json[coefficient_table()[i].name] = rounded(std::exp(c[i]));
  }
  return json;
}

Json factors_json(const std::map<std::string, double>& logs) {
  Json json = Json::object();
  for (const auto& [name, log] : logs) json[name] = rounded(std::exp(log));
  return json;
}

Json effects_json(const Effects& effects) {
  Json json = Json::object();
  for (const auto& [group, weights] : effects.by_group) {
    std::size_t used = kEffectBasis;
    while (used > 0 && std::abs(weights[used - 1]) < kNegligible) --used;
    // A network's group stays even if it says nothing: that it was seen is information.
    if (used == 0 && !group.starts_with("net:")) continue;
    Json list = Json::array();
    for (std::size_t f = 0; f < used; ++f) list.push_back(rounded(weights[f]));
    json[group] = std::move(list);
  }
  return json;
}

Json range_json(const FittedRange& range) {
  Json kinds = Json::array();
  for (const KernelKind kind : range.kinds) kinds.push_back(std::string(to_string(kind)));
  return {{"least_flop", rounded(range.least_flop)},
          {"most_flop", rounded(range.most_flop)},
          {"most_samples", range.most_samples},
          {"slowest_flop_per_s", rounded(range.slowest)},
          {"fastest_flop_per_s", rounded(range.fastest)},
          {"modes", range.modes},
          {"precisions", range.precisions},
          {"kinds", std::move(kinds)}};
}

// Reads with errors that name the place in the document.
class StackReader : JsonReader {
 public:
  explicit StackReader(std::string file) : JsonReader(std::move(file)) {}

  Stack read(const Json& json) const {
    check_schema(json, kStackSchema, "a stack", "sextant fit --method kernel");
    Stack stack;
    stack.id = text(json, "stack");
    stack.traits.accumulates_gradients = flag(json, "accumulates_gradients");
    stack.traits.tf32_by_default = flag(json, "tf32_by_default");
    stack.traits.tf32_convolutions = json.contains("tf32_convolutions") && flag(json, "tf32_convolutions");
    stack.traits.prefetches_input = json.contains("prefetches_input") && flag(json, "prefetches_input");
    if (json.contains("runs_on")) stack.traits.runs_on = texts(json, "runs_on");
    if (json.contains("few_timings")) {
      for (const auto& [name, count] : member(json, "few_timings").items()) {
        stack.few_timings[name] =
            static_cast<std::size_t>(std::clamp(number(json.at("few_timings"), name), 0.0, 1e15));
      }
    }
    stack.rows = static_cast<std::size_t>(std::clamp(number(json, "rows"), 0.0, 1e15));
    stack.shared.coefficients = coefficients(member(json, "coefficients"), "coefficients", true);
    stack.shared.frameworks = factors(member(json, "frameworks"));
    stack.shared.libraries = factors(member(json, "libraries"));
    for (const auto& [name, v] : member(json, "departures").items()) {
      stack.departures[name] = coefficients(v, "departures." + name, false);
    }
    for (const auto& [name, v] : member(json, "software").items()) {
      stack.software[name] = {text(v, "framework"), text(v, "library")};
    }
    stack.effects = effects(member(json, "effects"), "effects");
    stack.shared_effects = effects(member(json, "shared_effects"), "shared_effects");
    stack.spread = spread(member(json, "interval_90"));
    stack.range = range(member(json, "range"));
    return stack;
  }

 private:
  [[nodiscard]] double log_of(const Json& json, const std::string& name) const {
    return std::log(positive(json, name));
  }
  [[nodiscard]] std::string text(const Json& json, const std::string& name) const {
    if (!json.is_object() || !json.contains(name) || !json.at(name).is_string())
      fail_at(json, name, "is not a text");
    return json.at(name).get<std::string>();
  }
  [[nodiscard]] bool flag(const Json& json, const std::string& name) const {
    if (!json.contains(name) || !json.at(name).is_boolean()) fail_at(json, name, "is not true or false");
    return json.at(name).get<bool>();
  }
  [[nodiscard]] std::set<std::string> texts(const Json& json, const std::string& name) const {
    if (!json.contains(name) || !json.at(name).is_array()) fail_at(json, name, "is not a list");
    std::set<std::string> all;
    for (const auto& item : json.at(name)) {
      if (!item.is_string()) fail_at(json, name, "is not a list of texts");
      all.insert(item.get<std::string>());
    }
    return all;
  }

  [[nodiscard]] std::map<std::string, double> factors(const Json& json) const {
    std::map<std::string, double> logs;
    for (const auto& [name, value] : json.items()) logs[name] = log_of(json, name);
    return logs;
  }

  [[nodiscard]] Coefficients coefficients(const Json& json, const std::string& where, bool all) const {
    if (!json.is_object()) fail(where, "is not an object");
    Coefficients c{};
    std::size_t known = 0;
    for (std::size_t i = 0; i < c.size(); ++i) {
      const std::string& name = coefficient_table()[i].name;
      if (!json.contains(name)) {
        if (all) fail(where + "." + name, "is missing");
        continue;
      }
      ++known;
      c[i] = log_of(json, name);
    }
    if (known != json.size()) fail(where, "has a coefficient that this version does not know");
    return c;
  }

  [[nodiscard]] Effects effects(const Json& json, const std::string& where) const {
    Effects effects;
    for (const auto& [group, list] : json.items()) {
      if (!list.is_array() || list.size() > kEffectBasis)
        fail(where + "." + group, "is not a list of weights");
      EffectWeights& weights = effects.by_group[group];
      for (std::size_t f = 0; f < list.size(); ++f) {
        if (!list[f].is_number()) fail(where + "." + group, "is not a list of numbers");
        weights[f] = list[f].get<double>();
        if (!(std::abs(weights[f]) < 100)) fail(where + "." + group, "is out of range");
      }
    }
    return effects;
  }

  [[nodiscard]] Spread spread(const Json& json) const {
    return {.seen = positive(json, "seen"),
            .new_net = positive(json, "new_net"),
            .new_gpu = positive(json, "new_gpu"),
            .anchored = positive(json, "anchored"),
            .carry = number(json, "carry")};
  }

  [[nodiscard]] FittedRange range(const Json& json) const {
    FittedRange range{.least_flop = number(json, "least_flop"),
                      .most_flop = number(json, "most_flop"),
                      .most_samples = number(json, "most_samples"),
                      .slowest = number(json, "slowest_flop_per_s"),
                      .fastest = number(json, "fastest_flop_per_s"),
                      .modes = texts(json, "modes"),
                      .precisions = texts(json, "precisions")};
    const auto kinds = texts(json, "kinds");
    for (std::size_t i = 0; i < kKernelKinds; ++i) {
      const auto kind = static_cast<KernelKind>(i);
      if (kinds.contains(std::string(to_string(kind)))) range.kinds.insert(kind);
    }
    return range;
  }
};

}  // namespace

Json to_json(const Stack& stack) {
  Json departures = Json::object();
  for (const auto& [name, c] : stack.departures) departures[name] = departure_json(c);
  Json software = Json::object();
  for (const auto& [name, v] : stack.software) {
    software[name] = {{"framework", v.framework}, {"library", v.library}};
  }
  const Spread& s = stack.spread;
  Json json = {{"schema", kStackSchema},
               {"stack", stack.id},
               {"accumulates_gradients", stack.traits.accumulates_gradients},
               {"tf32_by_default", stack.traits.tf32_by_default},
               {"runs_on", stack.traits.runs_on},
               {"rows", stack.rows},
               {"interval_90",
                {{"seen", rounded(s.seen)},
                 {"new_net", rounded(s.new_net)},
                 {"new_gpu", rounded(s.new_gpu)},
                 {"anchored", rounded(s.anchored)},
                 {"carry", rounded(s.carry)}}},
               {"range", range_json(stack.range)},
               {"coefficients", coefficients_json(stack.shared.coefficients)},
               {"frameworks", factors_json(stack.shared.frameworks)},
               {"libraries", factors_json(stack.shared.libraries)},
               {"departures", std::move(departures)},
               {"software", std::move(software)},
               {"effects", effects_json(stack.effects)},
               {"shared_effects", effects_json(stack.shared_effects)}};
  if (stack.traits.tf32_convolutions) json["tf32_convolutions"] = true;
  if (stack.traits.prefetches_input) json["prefetches_input"] = true;
  if (!stack.few_timings.empty()) json["few_timings"] = stack.few_timings;
  return json;
}

Stack stack_from_json(const std::string& text, const std::string& file_name) {
  return StackReader(file_name).read(parse_json(text, file_name));
}

}  // namespace sextant::predict
