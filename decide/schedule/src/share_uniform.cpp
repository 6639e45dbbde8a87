#include "share_uniform.h"

#include <algorithm>

namespace sextant::schedule {

namespace {

double pool_of(const ShareProgram& program) {
  double pool = 0;
  for (const double capacity : program.capacity) pool += capacity;
  return pool;
}

double need_of(const ShareProgram& program, std::size_t job) {
  const double rate = program.rate[job * program.types];
  return rate > 0 ? program.demand[job] / rate : 0;
}

double time_of(const ShareProgram& program, double level, double claim, std::size_t job) {
  const double need = need_of(program, job);
  return need > 0 ? std::min(1.0, std::max(level * need, claim / program.gpus[job])) : 0;
}

double gpus_used(const ShareProgram& program, double level, const std::vector<double>& weight, double claim) {
  double used = 0;
  for (std::size_t i = 0; i < program.jobs(); ++i) {
    used += program.gpus[i] * time_of(program, level, claim * weight[i], i);
  }
  return used;
}

// Weights that are very far apart cancel in sums of slopes: then by bisection, to the last bit.
double checked_claim(const ShareProgram& program, double level, const std::vector<double>& weight,
                     double claim) {
  const double pool = pool_of(program) * (1 + 1e-12);
  if (gpus_used(program, level, weight, claim) <= pool) return claim;
  double low = 0;
  double high = claim;
  for (double middle = high / 2; low < middle && middle < high; middle = low + (high - low) / 2) {
    (gpus_used(program, level, weight, middle) <= pool ? low : high) = middle;
  }
  return low;
}

// The largest claim that the pool can satisfy. GPUs in use rise in straight lines with the claim: by weight_i
// from where the claim exceeds what the level gives job i to where the job has all of its time.
double largest_claim(const ShareProgram& program, double level, const std::vector<double>& weight) {
  struct Bend {
    double claim = 0;
    double slope = 0;
  };
  std::vector<Bend> bends;
  double used = 0;
  for (std::size_t i = 0; i < program.jobs(); ++i) {
    const double start = time_of(program, level, 0, i) * program.gpus[i];
    used += start;
    if (start <= 0 || weight[i] <= 0) continue;
    bends.push_back({start / weight[i], weight[i]});
    bends.push_back({program.gpus[i] / weight[i], -weight[i]});
  }
  std::ranges::sort(bends, {}, &Bend::claim);
  const double pool = pool_of(program);
  double claim = 0;
  double slope = 0;
  for (const Bend& bend : bends) {
    const double rise = slope * (bend.claim - claim);
    if (used + rise >= pool) return slope > 0 ? claim + std::max(0.0, pool - used) / slope : claim;
    used += rise;
    claim = bend.claim;
    slope += bend.slope;
  }
  return claim;
}

}  // namespace

bool is_uniform(const ShareProgram& program) {
  for (std::size_t i = 0; i < program.jobs(); ++i) {
    const auto* rate = program.rate.data() + i * program.types;
    if (!std::all_of(rate, rate + program.types, [&](double each) { return each == rate[0]; })) return false;
  }
  return true;
}

double uniform_level(const ShareProgram& program) {
  double asked = 0;
  double neediest = 0;
  for (std::size_t i = 0; i < program.jobs(); ++i) {
    asked += program.gpus[i] * need_of(program, i);
    neediest = std::max(neediest, need_of(program, i));
  }
  return neediest > 0 ? std::min(1 / neediest, pool_of(program) / asked) : 0;
}

void fill_uniform(const ShareProgram& program, const std::vector<double>& weight, ShareOptimum& out) {
  out.feasible = true;
  out.value = uniform_level(program);
  const double claim = checked_claim(program, out.value, weight, largest_claim(program, out.value, weight));
  const double pool = pool_of(program);
  out.share.assign(program.rate.size(), 0);
  for (std::size_t i = 0; i < program.jobs(); ++i) {
    const double time = time_of(program, out.value, claim * weight[i], i);
    for (std::size_t j = 0; j < program.types; ++j) {
      out.share[i * program.types + j] = time * (program.capacity[j] / pool);
    }
  }
}

}  // namespace sextant::schedule
