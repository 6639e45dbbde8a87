#include <algorithm>
#include <cmath>

#include "sextant/core/error.h"
#include "sextant/core/text.h"
#include "step_effects.h"
#include "step_shape.h"

namespace sextant::llm {
namespace {

// Of a format that was never timed on an architecture the speed is a guess from its specification.
bool timed_device(const StepModel& model, const StepCase& step) {
  return model.gpus.contains(step.gpu.id) && model.departures.contains({"matmul", format_key(step)});
}

// Software that was never timed has a width of its own, which knows of no architecture.
bool timed_pair(const StepModel& model, const StepCase& step) {
  return !model.widths.stacks.contains(step.stack.name) || model.pairs.contains(pair_key(step));
}

// Networks whose layers keep states are not in the fit: it has no coefficients of their own kernels.
bool timed_kind(const StepCase& step) {
  return step.model.layers_with(nets::LayerAttention::mamba) == 0;
}

double width_for(const StepModel& model, const StepCase& step) {
  const auto found = model.widths.stacks.find(step.stack.name);
  double width = model.widths.other;
  if (found != model.widths.stacks.end()) width = found->second;
  if (!timed_pair(model, step) || !timed_kind(step)) width = std::max(width, model.widths.new_pair);
  return timed_device(model, step) ? width : std::max(width, model.widths.new_gpu);
}

// All that effects_of() looks at.
std::string coefficients_key(const StepCase& step) {
  const StepStack& stack = step.stack;
  return stack.name + "|" + stack.family + "|" + stack.release + (stack.early_attention ? "|early|" : "||") +
         step.gpu.id + "|" + std::to_string(static_cast<int>(step.format));
}

void fail(const char* field, const std::string& what, const std::string& hint) {
  throw InputError(at_field(field), what, hint);
}

}  // namespace

void check(const StepCase& step) {
  const StepLayout& l = step.layout;
  for (const auto& [field, value] : {std::pair{"dp", l.dp},
                                     {"tp", l.tp},
                                     {"pp", l.pp},
                                     {"vp", l.vp},
                                     {"cp", l.cp},
                                     {"ep", l.ep},
                                     {"gpus", step.gpus},
                                     {"seq_len", step.sequence}}) {
    if (value < 1) fail(field, std::to_string(value) + " is not a number of things", "use 1 or more");
  }
  const double product =
      static_cast<double>(l.dp) * static_cast<double>(l.tp * l.pp) * static_cast<double>(l.cp);
  if (product != static_cast<double>(step.gpus))
    fail("gpus", "the layout has " + number_text(product) + " devices, the job " + std::to_string(step.gpus),
         "dp x tp x pp x cp is the number of GPUs");
  if (step.model.heads % l.tp != 0)
    fail("tp", std::to_string(step.model.heads) + " heads cannot be split over " + std::to_string(l.tp),
         "use a divisor of the heads");
  // Embedding and loss may take the place of a layer each.
  if (l.pp * l.vp > step.model.layers + 2)
    fail("pp",
         std::to_string(l.pp * l.vp) + " stages are more than the " + std::to_string(step.model.layers) +
             " layers",
         "lower `pp` or `vp`");
  if (l.ep > 1 && step.model.experts == 0)
    fail("ep", step.model.name + " has no experts to share out", "leave out `ep`");
  if (l.ep > std::max<std::int64_t>(1, step.model.experts))
    fail("ep",
         "expert parallelism of " + std::to_string(l.ep) + " with " + std::to_string(step.model.experts) +
             " experts",
         "use at most the number of experts");
  if (l.ep > 1 && step.model.experts % l.ep != 0)
    fail("ep",
         std::to_string(step.model.experts) + " experts cannot be shared out to " + std::to_string(l.ep) +
             " GPUs",
         "use a divisor of the experts");
  if (l.ep > 1 && (l.dp * l.cp * l.tp) % l.ep != 0)
    fail("ep",
         "groups of " + std::to_string(l.ep) + " GPUs cannot be made of dp x cp x tp, which is " +
             std::to_string(l.dp * l.cp * l.tp),
         "use a divisor of dp x cp x tp");
  if (l.shard < 0 || (l.shard > 0 && (l.dp * l.cp) % l.shard != 0))
    fail("shard",
         std::to_string(l.dp * l.cp) + " replicas cannot be shared out in groups of " +
             std::to_string(l.shard),
         "use a divisor of dp x cp");
  if (!(step.micro_batch > 0) || !(step.global_batch > 0))
    fail("micro_batch", "a batch has sequences", "use 1 or more");
}

StepTime predict_step(const StepModel& model, const StepCase& step) {
  return StepPredictor(model).predict(step);
}

StepTime StepPredictor::predict(const StepCase& step) {
  const StepRates rates = rates_of(step);
  const StepCounts counts = step_counts(step.model, step.sequence);
  const StepDemand demand = demand_of(step, counts, rates);
  auto& known = values_[coefficients_key(step)];
  if (known.empty()) {
    const StepValues found = values_of(model_, step, demand);
    known.assign(found.begin(), found.end());
  }
  StepValues values{};
  std::ranges::copy(known, values.begin());
  StepTime out;
  out.parts = step_parts(demand, values);
  out.step = total_of(out.parts);
  const double width = std::exp(width_for(model_, step));
  out.low = out.step / width;
  out.high = out.step * width;
  const auto gpus = static_cast<double>(step.gpus);
  out.tokens_per_second_per_gpu = step.tokens() / gpus / out.step.value;
  out.mfu = 3 * counts.flops * step.tokens() / gpus / out.step.value / rates.peak;
  out.timed_gpu = timed_device(model_, step);
  out.timed_stack = model_.widths.stacks.contains(step.stack.name);
  out.timed_pair = timed_pair(model_, step);
  out.timed_kind = timed_kind(step);
  return out;
}

}  // namespace sextant::llm
