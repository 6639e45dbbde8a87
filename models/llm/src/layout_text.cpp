#include <algorithm>
#include <array>
#include <cmath>

#include "sextant/core/text.h"
#include "sextant/llm/layouts.h"

namespace sextant::llm {
namespace {

constexpr double kMostParts = 30'000;  // so that products of degrees stay whole numbers

struct DegreeKey {
  const char* name;
  std::int64_t StepLayout::*member;
};
constexpr std::array<DegreeKey, 7> kDegrees = {{{"dp", &StepLayout::dp},
                                                {"tp", &StepLayout::tp},
                                                {"pp", &StepLayout::pp},
                                                {"vp", &StepLayout::vp},
                                                {"cp", &StepLayout::cp},
                                                {"ep", &StepLayout::ep},
                                                {"shard", &StepLayout::shard}}};

std::int64_t degree_of(const std::string& key, const std::string& text, const SourcePos& at) {
  const auto value = to_number(text);
  if (!value || *value < 1 || *value > kMostParts || *value != std::floor(*value))
    throw InputError(at, "'" + key + "=" + text + "' is not a number of parts", "as in " + key + "=2");
  return static_cast<std::int64_t>(*value);
}

bool set_degree(const std::string& key, const std::string& value, const SourcePos& at, LayoutText& out) {
  for (const auto& degree : kDegrees) {
    if (key != degree.name) continue;
    out.layout.*degree.member = degree_of(key, value, at);
    if (key == "dp") out.dp = out.layout.dp;
    return true;
  }
  return false;
}

void set_part(const std::string& key, const std::string& value, const SourcePos& at, LayoutText& out) {
  if (set_degree(key, value, at, out)) return;
  if (key == "zero") {
    out.says_sharding = true;
    if (value.size() != 1 || value < "0" || value > "3")
      throw InputError(at, "'zero=" + value + "' is no way to split the state",
                       "0 splits nothing, 1 the optimizer's state, 2 gradients too, 3 weights too");
    out.layout.sharding = value == "0" ? Sharding::none : parse_sharding("zero-" + value, at);
  } else if (key == "recompute") {
    out.layout.recompute = parse_recompute(value, at);
  } else if (key == "micro") {
    out.micro_batch = static_cast<double>(degree_of(key, value, at));
  } else if (key == "accum") {
    out.accumulation = static_cast<double>(degree_of(key, value, at));
  } else if (key == "sp" && (value == "0" || value == "1")) {
    out.layout.sequence_parallel = value == "1";
  } else {
    throw InputError(at, "a layout has no '" + key + "=" + value + "'",
                     "known are dp, tp, pp, vp, cp, ep, zero, shard, sp, recompute, micro and accum");
  }
}

const char* recompute_name(Recompute recompute) {
  switch (recompute) {
    case Recompute::none:
      return "none";
    case Recompute::selective:
      return "selective";
    case Recompute::full:
      return "full";
  }
  return "none";
}

}  // namespace

LayoutText parse_layout(const std::string& text, const SourcePos& at) {
  LayoutText out;
  bool says_sp = false;
  for (const auto& part : split(text, ',')) {
    const auto pair = split(part, '=');
    if (pair.size() != 2)
      throw InputError(at, "'" + std::string(trim(part)) + "' is not KEY=VALUE",
                       "as in tp=8,pp=4,dp=16,zero=1");
    const std::string key(trim(pair[0]));
    says_sp = says_sp || key == "sp";
    set_part(key, std::string(trim(pair[1])), at, out);
  }
  if (!says_sp) out.layout.sequence_parallel = out.layout.tp > 1;
  return out;
}

std::string layout_text(const StepLayout& layout, double micro_batch) {
  std::string text;
  for (const auto& degree : kDegrees) {
    const std::int64_t value = layout.*degree.member;
    if (value > 1 || degree.member == &StepLayout::dp)
      text += (text.empty() ? "" : ",") + std::string(degree.name) + "=" + std::to_string(value);
  }
  text += ",zero=" + std::to_string(static_cast<int>(layout.sharding));
  if (layout.recompute) text += ",recompute=" + std::string(recompute_name(*layout.recompute));
  return text + ",micro=" + number_text(micro_batch);
}

std::string why_not_run(const StepCase& step) {
  const StepLayout& l = step.layout;
  const nets::Decoder& d = step.model;
  if (d.ffn % l.tp != 0 || d.expert_ffn % l.tp != 0) {
    return "an MLP of " + std::to_string(d.ffn % l.tp != 0 ? d.ffn : d.expert_ffn) +
           " cannot be split over " + std::to_string(l.tp);
  }
  if (l.pp == 1 || l.vp == 1) return "";
  const std::int64_t stages = l.pp * l.vp;
  // Embedding and loss may take the place of a layer each.
  if (d.layers % stages != 0 && (d.layers + 2) % stages != 0)
    return std::to_string(d.layers) + " layers cannot be interleaved in " + std::to_string(stages) +
           " stages";
  if (std::fmod(step.micro_batches(), static_cast<double>(l.pp)) != 0) {
    return "interleaved stages take their micro-batches " + std::to_string(l.pp) +
           " at a time, and there are " + number_text(step.micro_batches());
  }
  return "";
}

StepCase with_layout(StepCase step, const LayoutText& text) {
  step.layout = text.layout;
  const StepLayout& l = text.layout;
  step.layout.dp = text.dp.value_or(std::max<std::int64_t>(1, step.gpus / (l.tp * l.pp * l.cp)));
  if (!text.says_sharding && (step.stack.family == "fsdp" || l.shard > 0))
    step.layout.sharding = Sharding::zero_3;
  if (text.micro_batch) step.micro_batch = *text.micro_batch;
  if (text.accumulation)
    step.global_batch = *text.accumulation * step.micro_batch * static_cast<double>(step.layout.dp);
  return step;
}

}  // namespace sextant::llm
