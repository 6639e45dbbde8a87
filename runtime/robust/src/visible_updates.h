// What omniscient attackers reckon with: the honest updates, or their own where they cannot see those.
#pragma once

#include "sextant/robust/attack.h"

namespace sextant::robust {

inline const Updates& visible_updates(const AttackRound& round) {
  return round.honest.size() > 0 ? round.honest : round.own;
}

}  // namespace sextant::robust
