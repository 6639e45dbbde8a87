// Where the shares of Gavel's rounds come from: a policy that is asked with the active jobs, or a recording
// of what Gavel's own policy answered.
#pragma once

#include <memory>
#include <vector>

#include "gavel_table.h"
#include "sextant/simulate/gavel.h"

namespace sextant::simulate {

class GavelShares {
 public:
  GavelShares(const JobSet& jobs, const clusters::Cluster& cluster, const GavelTypes& types,
              const GavelOptions& options);

  // Writes the shares of all rows of the table.
  void allocate(GavelTable& table, double now_s, const std::vector<double>& remaining);

 private:
  void ask(GavelTable& table, double now_s, const std::vector<double>& remaining);
  void replay(GavelTable& table, double now_s);

  const JobSet& jobs_;
  const GavelTypes& types_;
  const std::vector<RecordedAllocation>* recorded_;
  std::unique_ptr<schedule::SharePolicy> policy_ = {};
  schedule::ShareProblem problem_ = {};
  schedule::Shares shares_ = {};
  std::vector<std::size_t> row_of_share_ = {};  // jobs, then pairs
  std::vector<std::size_t> index_of_job_ = {};  // in problem_.jobs
  std::size_t next_record_ = 0;
  std::unordered_map<std::uint64_t, std::size_t> row_of_source_ = {};
};

}  // namespace sextant::simulate
