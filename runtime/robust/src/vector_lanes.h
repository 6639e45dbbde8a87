// Eight floats that the compiler keeps in one or two vector registers, and functions that are compiled twice:
// for every x86-64 and for those with AVX2, which is chosen when the program starts. Both do the same
// operations on the same eight lanes, without fused multiply-add, so results are the same to the bit.
#pragma once

#include <cstddef>
#include <cstring>

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define SEXTANT_ROBUST_CLONES __attribute__((target_clones("avx2", "default")))
#else
#define SEXTANT_ROBUST_CLONES
#endif

namespace sextant::robust {

constexpr std::size_t kFloatLanes = 8;
using FloatLanes = float __attribute__((vector_size(kFloatLanes * sizeof(float))));

}  // namespace sextant::robust
