// Timings of one job at several batch sizes, and what they say of larger ones. A straight line is right
// where the device is full and wrong where it is not; the model knows the bend but not the level. The
// answer takes the model's ratio from the largest timed batch, and leans on the line the more, the less the
// device waits for its host.
#pragma once

#include <map>
#include <string>

#include "sextant/predict/observation.h"

namespace sextant::predict {

class BatchLines {
 public:
  // A timed step, and what the model says of it: log seconds, and the host's time as a share of them.
  void add(const Observation& timed, double log_modelled, double host_share);

  // Whether the same job was timed on the same instance at two smaller batches or more.
  [[nodiscard]] bool knows(const Observation& question) const;

  // log seconds, given what the model says; unchanged of a job that is not known.
  [[nodiscard]] double adjust(const Observation& question, double log_modelled) const;

 private:
  struct Timing {
    double seconds = 0;
    double log_modelled = 0;
    double host_share = 0;
  };
  std::map<std::string, std::map<double, Timing>> timings_;  // by job and instance, then by batch
};

}  // namespace sextant::predict
