// Host processors, one socket each: what input pipelines and CPU training have to work with.
// Facts from facts/catalog/data/cpus.toml or a user's file.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sextant/core/units.h"

namespace sextant::catalog {

struct Cpu {
  std::string id;    // "epyc-7r32"
  std::string name;  // "EPYC 7R32"
  std::vector<std::string> aliases;
  std::string vendor;
  std::string architecture;
  int year = 0;  // of release; 0 = not stated
  int cores = 0;
  int threads = 0;
  Hertz clock;                 // base
  FlopRate fp32;               // all cores at the base clock, widest vector units, fused multiply-add as two
  Bandwidth memory_bandwidth;  // all channels
  std::optional<Watts> tdp;

  std::string source;
  std::string date;
  std::string notes;
};

}  // namespace sextant::catalog
