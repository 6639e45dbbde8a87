// One lambda per alternative of a variant, the usual way.
#pragma once

namespace sextant {

template <class... Ts>
struct Overloaded : Ts... {
  using Ts::operator()...;
};
template <class... Ts>
Overloaded(Ts...) -> Overloaded<Ts...>;

}  // namespace sextant
