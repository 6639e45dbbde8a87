// mpirun as a child: ended in order, so that it ends its ranks and clears away its shared memory.
#pragma once

#include "sextant/measure/child_process.h"

namespace sextant::measure {

class MpirunChild {
 public:
  explicit MpirunChild(const ChildSpec& spec) : child_(spec) {}
  ~MpirunChild() { end(); }
  MpirunChild(const MpirunChild&) = delete;
  MpirunChild& operator=(const MpirunChild&) = delete;

  std::optional<std::string> poll() { return child_.poll(); }
  [[nodiscard]] bool running() const { return child_.running(); }
  void wait();  // a moment, for it to end by itself
  void end();

 private:
  ChildProcess child_;
};

}  // namespace sextant::measure
