// The matching of AlloX (Le et al., EuroSys 2020): which waiting jobs start on which free machines, so that
// the sum of completion times of all of them is least if nothing else arrives.
#pragma once

#include <cstddef>
#include <vector>

namespace sextant::schedule {

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

// How many of the waiting jobs are matched, oldest first: a fraction, but at least one for each machine.
std::size_t allox_window(std::size_t jobs, std::size_t machines, double alpha);

// `machines` has the type of each free one. Types on which a job cannot run take it last, and do not start
// it.
std::vector<AlloxStart> allox_match(const std::vector<AlloxJob>& jobs,
                                    const std::vector<std::size_t>& machines);

// The same where all machines are of one type: the shortest jobs start. O(jobs log machines).
std::vector<AlloxStart> allox_shortest(std::vector<AlloxJob> jobs, std::size_t type, std::size_t machines);

}  // namespace sextant::schedule
