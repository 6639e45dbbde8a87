// Tables of timed kernels.
#pragma once

#include <deque>
#include <map>
#include <string>
#include <vector>

#include "kernel_solve.h"
#include "sextant/catalog/catalog.h"

namespace sextant::llm {

struct TimedKernels {
  std::deque<KernelDevice> devices;                    // calls point to them
  std::map<std::string, std::vector<TimedCall>> laws;  // by the id of the law
  std::vector<TimedCall> layers;                       // products of Vidur's, which no law is fitted to
  int impossible = 0;                                  // rows left out, faster than the device can be
};
TimedKernels read_timed_kernels(const std::string& data_folder, const catalog::Catalog& catalog);

}  // namespace sextant::llm
