// Loops over floats, four at a time in vector registers, which the compiler does not do by itself at the
// optimisation that everything is built with. Each value is worked out as in a plain loop, to the bit.
#pragma once

#include <cstddef>
#include <cstring>
#include <span>

namespace sextant::engine {

constexpr std::size_t kFloatRun = 4;
using FloatRun = float __attribute__((vector_size(kFloatRun * sizeof(float))));

// to[i] = work(to[i], others[i] ...), for runs and for what is left at the end.
template <class Work, class... Others>
void in_runs(std::span<float> to, const Work& work, Others... others) {
  const auto load = [](const float* from) {
    FloatRun run;
    std::memcpy(&run, from, sizeof run);
    return run;
  };
  std::size_t i = 0;
  for (; i + kFloatRun <= to.size(); i += kFloatRun) {
    const FloatRun made = work(load(to.data() + i), load(others.data() + i)...);
    std::memcpy(to.data() + i, &made, sizeof made);
  }
  const auto single = [](float value) { return FloatRun{value}; };
  for (; i < to.size(); ++i) to[i] = work(single(to[i]), single(others[i])...)[0];
}

inline void clear_negative(std::span<float> values) {
  in_runs(values, [](FloatRun v) { return v < 0 ? FloatRun{} : v; });
}

inline void clear_where_not_positive(std::span<float> values, std::span<const float> of) {
  in_runs(
      values, [](FloatRun v, FloatRun o) { return o > 0 ? v : FloatRun{}; }, of);
}

inline void add(std::span<float> to, std::span<const float> what) {
  in_runs(
      to, [](FloatRun t, FloatRun w) { return t + w; }, what);
}

inline void add_times(std::span<float> to, float factor, std::span<const float> what) {
  in_runs(
      to, [factor](FloatRun t, FloatRun w) { return t + factor * w; }, what);
}

// to += mu (here - there)
inline void pull(std::span<float> to, float mu, std::span<const float> here, std::span<const float> there) {
  in_runs(
      to, [mu](FloatRun t, FloatRun h, FloatRun s) { return t + mu * (h - s); }, here, there);
}

}  // namespace sextant::engine
