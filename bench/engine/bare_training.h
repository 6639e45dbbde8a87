// Training as one writes it by hand with libtorch's modules and optimizer: what measuring is compared with.
// Free of libtorch's headers, which take half a minute to compile.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

namespace sextant::bench {

class BareTraining {
 public:
  virtual ~BareTraining() = default;
  virtual double step() = 0;  // forward, backward, update; the loss
};

// "lenet5" on 28 pixels, "resnet18" on 32; SGD, one batch in memory.
std::unique_ptr<BareTraining> make_bare_training(const std::string& net, std::int64_t batch);

}  // namespace sextant::bench
