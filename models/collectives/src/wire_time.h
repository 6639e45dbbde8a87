// The time of one question from the numbers that it needs, wherever in a calibration they stand: found
// once, read often while a fit changes them.
#pragma once

#include "sextant/collectives/calibration.h"

namespace sextant::collectives {

struct WireTime {
  double total = 0;
  double transfer = 0;
  bool quick = false;
  bool switched = false;
};

struct Terms {
  const WireCoefficients* wire = nullptr;
  const double* launch = nullptr;
  const double* architecture = nullptr;
  const double* host = nullptr;
  const double* link = nullptr;    // rate of the wire in this system
  const double* second = nullptr;  // a further factor on it
  const double* rate = nullptr;    // of this placement
  const double* start = nullptr;
  const double* card_exponent = nullptr;
  double cards = 1;
  double bandwidth = 0;  // nominal, of one card
  double ceiling = 0;    // rate that the wire inside allows, 0: no limit
  double volume = 0;     // bytes that cross the slowest wire
  double steps = 0;
  double switch_volume = 0;  // in an all-reduce that the switch sums; 0: it does not
  double switch_steps = 0;
  bool message = false;     // point to point
  bool host_bound = false;  // starts are the GPU's and host's own, so they scale with the launch
};

// The question is assumed to be valid: see check_question().
Terms terms_of(const Calibration& calibration, const System& system, const CollectiveQuestion& question);
WireTime time_of(const Terms& terms);
// Below twice the floor, where the host's jitter decides.
bool near_launch(const Terms& terms, const WireTime& time);
void check_question(const System& system, const CollectiveQuestion& question);

}  // namespace sextant::collectives
