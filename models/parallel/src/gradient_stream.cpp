#include "gradient_stream.h"

#include <algorithm>

#include "overlap.h"

namespace sextant::parallel {

void GradientStream::add(Seconds ready, Bytes bytes) {
  waiting_ += bytes;
  if (waiting_ >= terms_.bucket && waiting_ > Bytes{}) send(ready);
}

void GradientStream::send(Seconds ready) {
  const Seconds cost = collective_cost(*terms_.fabric, terms_.collective, waiting_, terms_.group).total();
  waiting_ = {};
  busy_ += cost;
  free_ = bucket_finish(free_, {ready, cost});
}

void GradientStream::finish(Seconds ready) {
  if (waiting_ > Bytes{}) send(ready);
  exposed_ = terms_.overlap ? std::max(Seconds{}, free_ - ready) : busy_;
}

}  // namespace sextant::parallel
