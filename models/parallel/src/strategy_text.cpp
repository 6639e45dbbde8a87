// Strategies as text: what people type and what reports show.
#include <array>
#include <cmath>

#include "sextant/core/plugin_text.h"
#include "sextant/parallel/parallel_strategy.h"

namespace sextant::parallel {
namespace {

std::size_t parameter_index(const ParallelStrategyInfo& strategy, std::string_view name,
                            const SourcePos& at) {
  std::vector<std::string> known;
  for (std::size_t i = 0; i < strategy.parameters.size(); ++i) {
    if (fold_name(strategy.parameters[i].name) == fold_name(name)) return i;
    known.push_back(strategy.parameters[i].name);
  }
  throw InputError(at, "strategy '" + strategy.id + "' has no parameter '" + std::string(name) + "'",
                   name_hint(name, known));
}

double parameter_value(const ParallelStrategyInfo& strategy, const ParameterInfo& parameter,
                       std::string_view text, const SourcePos& at) {
  std::vector<std::string> known;
  for (const NamedValue& word : parameter.words) known.push_back(word.name);
  const auto value = typed_value(parameter, text, at);
  const std::string bounds = number_text(parameter.low) + " to " + number_text(parameter.high);
  const std::string hint = known.empty() ? "a number, " + bounds : join(known, ", ") + ", or " + bounds;
  if (!value) {
    throw InputError(at, "'" + std::string(text) + "' is no value of " + strategy.id + ":" + parameter.name,
                     hint);
  }
  if (!(*value >= parameter.low && *value <= parameter.high)) {
    throw InputError(at, strategy.id + ":" + parameter.name + "=" + number_text(*value) + " is out of bounds",
                     hint);
  }
  if (is_whole(parameter) && *value != std::floor(*value)) {
    throw InputError(
        at, strategy.id + ":" + parameter.name + "=" + number_text(*value) + " is no whole number", hint);
  }
  return *value;
}

const char* split_name(ParallelDegrees::Split split) {
  constexpr std::array<const char*, 5> kNames = {"", "filter", "channel", "spatial", "tensor"};
  return kNames.at(static_cast<std::size_t>(split));
}

std::string counted(std::int64_t count, const std::string& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

}  // namespace

ParallelChoice parse_strategy(std::string_view text, const SourcePos& at) {
  const std::vector<std::string> parts = split(text, ':');
  const ParallelStrategyInfo& strategy = parallel_strategies().get(trim(parts.empty() ? text : parts[0]), at);
  ParallelChoice choice{&strategy, Parameters(strategy)};
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const std::size_t equals = parts[i].find('=');
    if (equals == std::string::npos) {
      throw InputError(at, "'" + parts[i] + "' after a strategy is no NAME=VALUE",
                       "as in pipeline:micro=8:stages=4");
    }
    const std::string_view part = parts[i];
    const std::size_t index = parameter_index(strategy, trim(part.substr(0, equals)), at);
    choice.parameters.set_value(
        index, parameter_value(strategy, strategy.parameters[index], trim(part.substr(equals + 1)), at));
  }
  return choice;
}

std::string to_string(const ParallelChoice& choice) {
  return plugin_text(*choice.strategy, choice.parameters);
}

std::string to_string(const ParallelDegrees& degrees) {
  std::vector<std::string> factors;
  if (degrees.data > 1) factors.push_back("data " + std::to_string(degrees.data));
  if (degrees.shards > 1)
    factors.push_back(split_name(degrees.split) + (" " + std::to_string(degrees.shards)));
  if (degrees.stages > 1) factors.push_back(counted(degrees.stages, "stage"));
  std::string text = factors.empty() ? "one device" : join(factors, " x ");
  if (degrees.stages > 1)
    text += ", " + std::to_string(degrees.micro) + " micro-batch" + (degrees.micro == 1 ? "" : "es");
  if (degrees.virtual_stages > 1) text += ", " + counted(degrees.virtual_stages, "piece") + " each";
  if (degrees.zero > 0) text += ", ZeRO stage " + std::to_string(degrees.zero);
  if (degrees.servers > 0) text += ", " + counted(degrees.servers, "server");
  return text;
}

}  // namespace sextant::parallel
