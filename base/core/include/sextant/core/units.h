// Physical quantities whose dimensions the compiler checks: Seconds + Bytes does not compile.
// Values are doubles in SI base units (seconds, bytes, floating-point operations, US dollars,
// joules); prefixes and rounding exist only where text is read or printed (see unit_text.h).
#pragma once

#include <compare>

namespace sextant {

// Exponents of second, byte, flop, dollar, joule.
template <int S, int B, int F, int D, int J>
struct Quantity {
  double value = 0;

  constexpr Quantity() = default;
  explicit constexpr Quantity(double v) : value(v) {}
  auto operator<=>(const Quantity&) const = default;

  constexpr Quantity& operator+=(Quantity other) {
    value += other.value;
    return *this;
  }
  friend constexpr Quantity operator+(Quantity a, Quantity b) { return Quantity{a.value + b.value}; }
  friend constexpr Quantity operator-(Quantity a, Quantity b) { return Quantity{a.value - b.value}; }
  friend constexpr Quantity operator*(double k, Quantity a) { return Quantity{k * a.value}; }
  friend constexpr Quantity operator*(Quantity a, double k) { return Quantity{a.value * k}; }
  friend constexpr Quantity operator/(Quantity a, double k) { return Quantity{a.value / k}; }
  // A ratio of like quantities is a plain number.
  friend constexpr double operator/(Quantity a, Quantity b) { return a.value / b.value; }
};

template <int S, int B, int F, int D, int J, int s, int b, int f, int d, int j>
constexpr auto operator/(Quantity<S, B, F, D, J> x, Quantity<s, b, f, d, j> y) {
  return Quantity<S - s, B - b, F - f, D - d, J - j>{x.value / y.value};
}
template <int S, int B, int F, int D, int J, int s, int b, int f, int d, int j>
constexpr auto operator*(Quantity<S, B, F, D, J> x, Quantity<s, b, f, d, j> y) {
  return Quantity<S + s, B + b, F + f, D + d, J + j>{x.value * y.value};
}

using Seconds = Quantity<1, 0, 0, 0, 0>;
using Bytes = Quantity<0, 1, 0, 0, 0>;
using Flops = Quantity<0, 0, 1, 0, 0>;
using Dollars = Quantity<0, 0, 0, 1, 0>;
using Joules = Quantity<0, 0, 0, 0, 1>;

using Hertz = Quantity<-1, 0, 0, 0, 0>;
using Bandwidth = Quantity<-1, 1, 0, 0, 0>;
using FlopRate = Quantity<-1, 0, 1, 0, 0>;
using DollarRate = Quantity<-1, 0, 0, 1, 0>;  // dollars per second
using Watts = Quantity<-1, 0, 0, 0, 1>;

inline constexpr Seconds kHour{3600};

static_assert(Bytes{100} / Bandwidth{50} == Seconds{2});
static_assert(DollarRate{1.0 / 3600} * kHour == Dollars{1});

}  // namespace sextant
