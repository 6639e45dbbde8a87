// The matching of AlloX (Le et al., EuroSys 2020): which waiting jobs start on which free machines, so that
// the sum of completion times of all of them is least if nothing else arrives.
#pragma once

#include <cstddef>
#include <vector>

namespace sextant {

struct AlloxJob {
  std::size_t index = 0;  // as the caller knows it
  double remaining = 0;   // work
  double age_s = 0;
  const double* rate = nullptr;  // by type
};

struct AlloxStart {
  std::size_t job = 0;  // AlloxJob::index
  std::size_t type = 0;
};

// Matches the oldest max(machines, alpha * jobs); `machines` has the type of each free one. Types on which a
// job cannot run take it last.
std::vector<AlloxStart> allox_match(std::vector<AlloxJob> jobs, const std::vector<std::size_t>& machines,
                                    double alpha);

}  // namespace sextant
