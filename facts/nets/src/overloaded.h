// One lambda per alternative of a variant, the usual way.
#pragma once

namespace sextant::nets {

template <class... Ts>
struct Overloaded : Ts... {
  using Ts::operator()...;
};
template <class... Ts>
Overloaded(Ts...) -> Overloaded<Ts...>;

}  // namespace sextant::nets
