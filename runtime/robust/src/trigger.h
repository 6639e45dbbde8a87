// A square in a corner of the image that makes the network answer a class: Gu et al., BadNets, IEEE Access
// 2019.
#pragma once

#include "sextant/robust/attack.h"

namespace sextant::robust {

struct Trigger {
  std::int64_t target = 0;
  std::int64_t size =
      3;            // pixels along an edge, in the lower right corner with a pixel between it and the border
  float value = 1;  // of its pixels in every channel
  double poisoned = 0.5;  // share of an attacker's samples that carry it

  void poison(const Samples& samples, Rng& rng) const;
  // All samples that are not of the target carry it.
  void pose(const Samples& samples) const;

 private:
  void stamp(const Samples& samples, std::size_t sample) const;
};

std::vector<ParameterInfo> trigger_parameters();
Trigger make_trigger(const Parameters& parameters);

}  // namespace sextant::robust
