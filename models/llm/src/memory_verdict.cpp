#include <cmath>

#include "sextant/llm/memory.h"

namespace sextant::llm {
namespace {

// Half-width of the 90 % interval in the logarithm, from networks that were left out:
// docs/models/llm-memory.md.
constexpr double kMemoryWidth = 0.17;
// A need that is above the capacity by less may still run: it is less than what counting misses.
constexpr double kTightOver = 0.03;
constexpr double kDriverShare = 0.012;  // of a board's memory: 79.1 of 80 GiB are left on A100 and H100

}  // namespace

Bytes usable_memory(const catalog::Gpu& gpu) {
  return (1 - kDriverShare) * gpu.memory;
}

std::string to_string(Fit fit) {
  switch (fit) {
    case Fit::fits:
      return "fits";
    case Fit::tight:
      return "tight";
    case Fit::does_not_fit:
      return "does not fit";
  }
  return {};
}

MemoryVerdict memory_verdict(const TrainingMemory& memory, Bytes capacity) {
  MemoryVerdict verdict;
  verdict.need = memory.total();
  verdict.capacity = capacity;
  verdict.low = std::exp(-kMemoryWidth) * verdict.need;
  verdict.high = std::exp(kMemoryWidth) * verdict.need;
  if (verdict.need > (1 + kTightOver) * capacity)
    verdict.fit = Fit::does_not_fit;
  else if (verdict.high > capacity)
    verdict.fit = Fit::tight;
  return verdict;
}

}  // namespace sextant::llm
