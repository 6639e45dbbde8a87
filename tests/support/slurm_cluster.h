// A Slurm of this test alone: munged, a controller and two nodes on this machine, with ports and folders of
// their own; gone with the object. With power saving, nodes are really switched: their daemons end and begin.
#pragma once

#include <string>
#include <vector>

#include "sextant/measure/child_process.h"
#include "temporary_folder.h"

namespace sextant::test {

// A port of the loopback that nobody listens at.
std::string free_port();

class SlurmCluster {
 public:
  // Why there cannot be one here; empty: there can.
  static std::string obstacle();
  enum class Power { always_on, saved };
  explicit SlurmCluster(Power power = Power::always_on);
  ~SlurmCluster();
  SlurmCluster(const SlurmCluster&) = delete;
  SlurmCluster& operator=(const SlurmCluster&) = delete;
  [[nodiscard]] bool ready() const { return ready_; }
  [[nodiscard]] std::string logs() const;
  // With power saving: "off n0" and "on n0", a line each, in the order in which Slurm asked for it.
  [[nodiscard]] std::string switches() const;

 private:
  void start(const std::vector<std::string>& command);
  [[nodiscard]] std::string configuration() const;
  [[nodiscard]] std::string power_settings() const;
  void write_power_programs() const;
  void end_nodes() const;

  Power power_;
  TemporaryFolder folder_;
  std::vector<measure::ChildProcess> daemons_;
  bool ready_ = false;
};

}  // namespace sextant::test
