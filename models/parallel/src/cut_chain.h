// Dynamic programming over the cuts of a chain of layers into runs.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

namespace sextant::parallel {

// Layers first .. end - 1 as the run with number `at`, from 0.
struct Run {
  std::size_t at;
  std::size_t first;
  std::size_t end;
};

// `rule.work(run)` never falls as the first layer does; `rule.stop(work, best)` says that longer runs cannot
// help; `rule.join(before, run, work)` is the cost with this run; `rule.allows(run)` whether it can be. A
// rule may know that run `at` cannot end at a layer whatever the others do: `rule.can_end(at, end)`. Returns
// the first layer of each run, or nothing.
template <class Rule>
std::vector<std::size_t> cut_chain(std::size_t layers, std::size_t runs, const Rule& rule) {
  if (runs == 0 || layers < runs) return {};
  constexpr double kNone = std::numeric_limits<double>::infinity();
  std::vector<double> before(layers + 1, kNone);
  std::vector<double> now(layers + 1, kNone);
  std::vector<std::uint32_t> from(runs * (layers + 1), 0);
  before[0] = 0;
  for (std::size_t k = 0; k < runs; ++k) {
    now.assign(layers + 1, kNone);
    for (std::size_t j = k + 1; j + (runs - 1 - k) <= layers; ++j) {
      if constexpr (requires { rule.can_end(k, j); }) {
        if (!rule.can_end(k, j)) continue;
      }
      for (std::size_t i = j; i-- > k;) {
        const double work = rule.work(Run{k, i, j});
        if (rule.stop(work, now[j])) break;
        if (before[i] == kNone) continue;
        const double joined = rule.join(before[i], Run{k, i, j}, work);
        if (joined >= now[j] || !rule.allows(Run{k, i, j})) continue;
        now[j] = joined;
        from[k * (layers + 1) + j] = static_cast<std::uint32_t>(i);
      }
    }
    before.swap(now);
  }
  if (before[layers] == kNone) return {};
  std::vector<std::size_t> firsts(runs);
  for (std::size_t k = runs, end = layers; k-- > 0; end = firsts[k]) firsts[k] = from[k * (layers + 1) + end];
  return firsts;
}

}  // namespace sextant::parallel
