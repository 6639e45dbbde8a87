#include "share_uniform.h"

#include <algorithm>
#include <limits>

namespace sextant {

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

// The level theta at which sum gpus_i min(1, theta need_i) is the pool; infinite where all have all their
// time.
double waterline(const ShareProgram& program) {
  std::vector<std::size_t> order;
  double asked = 0;
  for (std::size_t i = 0; i < program.jobs(); ++i) {
    if (need_of(program, i) <= 0) continue;
    order.push_back(i);
    asked += program.gpus[i] * need_of(program, i);
  }
  std::ranges::stable_sort(order, [&](std::size_t left, std::size_t right) {
    return need_of(program, left) > need_of(program, right);
  });
  double pool = pool_of(program);
  for (const std::size_t job : order) {  // the neediest reaches its limit first, at theta = 1 / need
    if (pool * need_of(program, job) <= asked) return pool / asked;
    pool -= program.gpus[job];
    asked -= program.gpus[job] * need_of(program, job);
  }
  return std::numeric_limits<double>::infinity();
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

void fill_uniform(const ShareProgram& program, ShareOptimum& out) {
  const double theta = waterline(program);
  const double pool = pool_of(program);
  out.feasible = true;
  out.value = uniform_level(program);
  out.share.assign(program.rate.size(), 0);
  for (std::size_t i = 0; i < program.jobs(); ++i) {
    const double need = need_of(program, i);
    if (need <= 0) continue;
    const double time = std::min(1.0, theta * need);
    for (std::size_t j = 0; j < program.types; ++j) {
      out.share[i * program.types + j] = time * (program.capacity[j] / pool);
    }
  }
}

}  // namespace sextant
