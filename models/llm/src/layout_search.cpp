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
      : job_(job),
        counts_(step_counts(job.model, job.sequence)),
        rates_(rates_of(job)),
        law_(values_of(model, job, demand_of(job, counts_, rates_))) {}

  Candidates all() {
    for (const std::int64_t tp : divisors_up_to(job_.model.heads, static_cast<std::int64_t>(rates_.domain))) {
      if (job_.gpus % tp != 0 || job_.model.ffn % tp != 0 || job_.model.expert_ffn % tp != 0) continue;
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
      if (vp > 1 && !why_not_run(job_).empty()) continue;
      for (const Sharding sharding : {Sharding::zero_1, Sharding::zero_3}) {
        if (sharding == Sharding::zero_3 && (pp > 1 || job_.layout.dp * job_.layout.cp == 1)) continue;
        job_.layout.sharding = sharding;
        with_copies();
      }
    }
  }

  // Weights split over all replicas, or over those of a node with copies on the others (HSDP).
  void with_copies() {
    with_recomputation();
    const StepLayout& l = job_.layout;
    if (l.sharding != Sharding::zero_3) return;
    const std::int64_t in_node = static_cast<std::int64_t>(rates_.domain) / l.tp;
    if (in_node < 2 || in_node >= l.dp * l.cp || (l.dp * l.cp) % in_node != 0) return;
    job_.layout.shard = in_node;
    with_recomputation();
    job_.layout.shard = 0;
  }

  void with_recomputation() {
    job_.layout.recompute = Recompute::none;
    StepDemand demand = demand_of(job_, counts_, rates_);
    for (const Recompute recompute : {Recompute::none, Recompute::selective, Recompute::full}) {
      job_.layout.recompute = recompute;
      demand.selective_recompute = recompute == Recompute::selective ? 1 : 0;
      demand.full_recompute = recompute == Recompute::full ? 1 : 0;
      found_.push_back({job_.layout, job_.micro_batch, law_.seconds(demand)});
    }
  }

  StepCase job_;
  StepCounts counts_;
  StepRates rates_;
  FixedLaw law_;
  Candidates found_;
};

LayoutChoice choice_of(const StepModel& model, const MemoryQuestion& question) {
  LayoutChoice choice;
  choice.step = question.at;
  choice.time = predict_step(model, choice.step);
  const Bytes capacity = usable_memory(choice.step.gpu);
  choice.memory = memory_verdict(training_memory(question, capacity), capacity);
  return choice;
}

void take(const Candidate& candidate, MemoryQuestion& question) {
  question.at.layout = candidate.layout;
  question.at.micro_batch = candidate.micro_batch;
}

// The first so many candidates of each verdict, and the one that lacks least.
struct Judged {
  std::vector<const Candidate*> fit;
  std::vector<const Candidate*> tight;
  const Candidate* closest = nullptr;
};

Judged judge(const Candidates& found, MemoryQuestion question, std::size_t most) {
  Judged judged;
  const Bytes capacity = usable_memory(question.at.gpu);
  Bytes least{0};
  for (const auto& candidate : found) {
    if (judged.fit.size() == most) break;
    take(candidate, question);
    const MemoryVerdict verdict = memory_verdict(training_memory(question, capacity), capacity);
    if (verdict.fit == Fit::fits) {
      judged.fit.push_back(&candidate);
    } else if (verdict.fit == Fit::tight) {
      if (judged.tight.size() < most) judged.tight.push_back(&candidate);
    } else if (judged.closest == nullptr || verdict.need < least) {
      judged.closest = &candidate;
      least = verdict.need;
    }
  }
  return judged;
}

}  // namespace

LayoutChoices search_layouts(const StepModel& model, const LayoutSearch& search) {
  MemoryQuestion question = search.job;
  Candidates found = LayoutEnumerator(model, question.at).all();
  std::ranges::stable_sort(found, {}, &Candidate::seconds);
  const Judged judged = judge(found, question, search.most);
  const auto choice = [&](const Candidate* candidate) {
    take(*candidate, question);
    return choice_of(model, question);
  };
  LayoutChoices out;
  out.looked_at = found.size();
  for (const Candidate* candidate : judged.fit.empty() ? judged.tight : judged.fit)
    out.best.push_back(choice(candidate));
  const bool beaten =
      !judged.fit.empty() && !judged.tight.empty() && judged.tight.front() < judged.fit.front();
  if (beaten) out.risky = choice(judged.tight.front());
  if (out.best.empty() && judged.closest != nullptr) out.closest = choice(judged.closest);
  return out;
}

}  // namespace sextant::llm
