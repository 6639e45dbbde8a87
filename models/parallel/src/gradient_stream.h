// Gradients that are summed while the backward pass goes on: buckets in the order of readiness over one
// stream, f_i = max(r_i, f_(i-1)) + c_i (see overlap.h).
#pragma once

#include "sextant/collectives/collective.h"

namespace sextant::parallel {

struct StreamTerms {
  const collectives::Fabric* fabric = nullptr;
  collectives::Collective collective = collectives::Collective::all_reduce;
  collectives::Group group = {};
  Bytes bucket = Bytes{25e6};
  bool overlap = true;
};

class GradientStream {
 public:
  explicit GradientStream(const StreamTerms& terms) : terms_(terms) {}

  // A layer whose backward pass has ended at `ready` has gradients of `bytes`.
  void add(Seconds ready, Bytes bytes);
  // The backward pass has ended: what is left goes out.
  void finish(Seconds ready);

  [[nodiscard]] Seconds busy() const { return busy_; }        // all communication
  [[nodiscard]] Seconds exposed() const { return exposed_; }  // after the end of the backward pass

 private:
  void send(Seconds ready);

  StreamTerms terms_;
  Bytes waiting_ = {};
  Seconds busy_ = {};
  Seconds free_ = {};
  Seconds exposed_ = {};
};

}  // namespace sextant::parallel
