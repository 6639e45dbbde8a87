// A Slurm of this test alone: munged, a controller and two nodes on this machine, with ports and folders of
// their own; gone with the object.
#pragma once

#include <string>
#include <vector>

#include "sextant/measure/child_process.h"
#include "temporary_folder.h"

namespace sextant::test {

class SlurmCluster {
 public:
  // Why there cannot be one here; empty: there can.
  static std::string obstacle();
  SlurmCluster();
  ~SlurmCluster();
  SlurmCluster(const SlurmCluster&) = delete;
  SlurmCluster& operator=(const SlurmCluster&) = delete;
  [[nodiscard]] bool ready() const { return ready_; }
  [[nodiscard]] std::string logs() const;

 private:
  void start(const std::vector<std::string>& command);
  [[nodiscard]] std::string configuration() const;

  TemporaryFolder folder_;
  std::vector<measure::ChildProcess> daemons_;
  bool ready_ = false;
};

}  // namespace sextant::test
