// Every product of degrees that divides devices, heads, layers, experts and batch. Times of all come first;
// memory is then asked for from the fastest on, until enough fit.
#include <algorithm>
#include <array>
#include <functional>

#include "sextant/llm/layouts.h"
#include "step_effects.h"
#include "step_shape.h"

namespace sextant::llm {
namespace {

constexpr std::array<double, 5> kMicroBatches = {1, 2, 4, 8, 16};
constexpr std::array<std::int64_t, 4> kInterleavings = {1, 2, 4, 8};
constexpr std::int64_t kLeastPart = 2048;  // tokens of a sequence below which it is not split
constexpr std::int64_t kMostContext = 64;

struct Candidate {
  StepLayout layout;
  double micro_batch;
  double seconds;
};
using Candidates = std::vector<Candidate>;

std::vector<std::int64_t> divisors_up_to(std::int64_t n, std::int64_t most) {
  std::vector<std::int64_t> out;
  for (std::int64_t d = 1; d <= std::min(n, most); ++d) {
    if (n % d == 0) out.push_back(d);
  }
  return out;
}

class LayoutEnumerator {
 public:
  LayoutEnumerator(const StepModel& model, const StepCase& job)
      : job_(job), values_(values_of(model, job, demand_of(job))), domain_(rates_of(job).domain) {}

  Candidates all() {
    for (const std::int64_t tp : divisors_up_to(job_.model.heads, static_cast<std::int64_t>(domain_))) {
      if (job_.gpus % tp != 0) continue;
      job_.layout.tp = tp;
      job_.layout.sequence_parallel = tp > 1;
      for (const std::int64_t pp : divisors_up_to(job_.gpus / tp, job_.model.layers)) {
        job_.layout.pp = pp;
        with_contexts(job_.gpus / tp / pp);
      }
    }
    return std::move(found_);
  }

 private:
  void with_contexts(std::int64_t devices) {
    const std::int64_t most = std::clamp<std::int64_t>(job_.sequence / kLeastPart, 1, kMostContext);
    for (std::int64_t cp = 1; cp <= most && devices % cp == 0; cp *= 2) {
      job_.layout.cp = cp;
      job_.layout.dp = devices / cp;
      with_experts();
    }
  }

  void with_experts() {
    const StepLayout& l = job_.layout;
    if (job_.model.experts == 0) return with_batches();
    for (const std::int64_t ep : divisors_up_to(job_.model.experts, l.dp * l.cp * l.tp)) {
      if ((l.dp * l.cp * l.tp) % ep != 0) continue;
      job_.layout.ep = ep;
      with_batches();
    }
    job_.layout.ep = 1;
  }

  void with_batches() {
    const double replica = job_.global_batch / static_cast<double>(job_.layout.dp);
    for (const double micro : kMicroBatches) {
      const double count = replica / micro;
      if (count < 1 || count != static_cast<double>(static_cast<std::int64_t>(count))) continue;
      job_.micro_batch = micro;
      with_stages();
    }
  }

  void with_stages() {
    const std::int64_t pp = job_.layout.pp;
    for (const std::int64_t vp : kInterleavings) {
      if (vp > 1 && (pp == 1 || pp * vp > job_.model.layers)) continue;
      job_.layout.vp = vp;
      for (const Sharding sharding : {Sharding::zero_1, Sharding::zero_3}) {
        if (sharding == Sharding::zero_3 && (pp > 1 || job_.layout.dp * job_.layout.cp == 1)) continue;
        job_.layout.sharding = sharding;
        with_recomputation();
      }
    }
  }

  void with_recomputation() {
    for (const Recompute recompute : {Recompute::none, Recompute::selective, Recompute::full}) {
      job_.layout.recompute = recompute;
      found_.push_back({job_.layout, job_.micro_batch, step_seconds(demand_of(job_), values_)});
    }
  }

  StepCase job_;
  StepValues values_;
  double domain_;
  Candidates found_;
};

LayoutChoice choice_of(const StepModel& model, const LayoutSearch& search, const Candidate& candidate,
                       const MemoryQuestion& question) {
  LayoutChoice choice;
  choice.step = search.job;
  choice.step.layout = candidate.layout;
  choice.step.micro_batch = candidate.micro_batch;
  choice.time = predict_step(model, choice.step);
  const Bytes capacity = usable_memory(search.job.gpu);
  choice.memory = memory_verdict(training_memory(question, capacity), capacity);
  return choice;
}

}  // namespace

LayoutChoices search_layouts(const StepModel& model, const LayoutSearch& search) {
  Candidates found = LayoutEnumerator(model, search.job).all();
  std::ranges::stable_sort(found, {}, &Candidate::seconds);
  LayoutChoices out;
  out.looked_at = found.size();
  MemoryQuestion question = memory_question(search.job, search.framework);
  const Bytes capacity = usable_memory(search.job.gpu);
  const Candidate* closest = nullptr;
  Bytes least{0};
  for (const auto& candidate : found) {
    if (out.best.size() == search.most) break;
    question.at.layout = candidate.layout;
    question.at.micro_batch = candidate.micro_batch;
    const MemoryVerdict verdict = memory_verdict(training_memory(question, capacity), capacity);
    if (verdict.fit != Fit::does_not_fit) {
      out.best.push_back(choice_of(model, search, candidate, question));
    } else if (closest == nullptr || verdict.need < least) {
      closest = &candidate;
      least = verdict.need;
    }
  }
  if (out.best.empty() && closest != nullptr) {
    question.at.layout = closest->layout;
    question.at.micro_batch = closest->micro_batch;
    out.closest = choice_of(model, search, *closest, question);
  }
  return out;
}

}  // namespace sextant::llm
