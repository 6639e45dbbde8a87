// Labels of one class become those of another: Tolpegin et al., ESORICS 2020.
#pragma once

#include "sextant/robust/attack.h"

namespace sextant::robust {

struct TargetedFlip {
  std::int64_t source = 0;
  std::int64_t target = 0;

  void poison(const Samples& samples) const;
  // Samples of the source are to be taken for the target; of the others nothing is wanted.
  void pose(const Samples& samples) const;
};

std::vector<ParameterInfo> flip_parameters();
// InputError where source and target are the same class.
TargetedFlip make_flip(const Parameters& parameters);

// InputError where the samples have no such class.
void check_class(const Samples& samples, std::int64_t label);

}  // namespace sextant::robust
