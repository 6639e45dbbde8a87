// A machine type that one can rent or own: GPUs, host, links, prices by region.
// Facts from facts/catalog/data/machines_*.toml, a user's file, or an imported SkyPilot vms.csv.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sextant/core/units.h"

namespace sextant::catalog {

struct Price {
  std::string region;
  std::optional<DollarRate> on_demand;
  std::optional<DollarRate> spot;  // lowest over the region's zones when it was read
};

struct Machine {
  std::string id;                    // "aws/p3.2xlarge"
  std::string name;                  // "p3.2xlarge", as the provider spells it
  std::vector<std::string> aliases;  // holds the bare name too, where only one cloud has it
  std::string cloud;

  std::string gpu;        // id in Catalog::gpus; the file's own word if !gpu_known; empty without GPU
  bool gpu_known = true;  // false only in imported files
  double gpu_count = 0;   // a slice of a GPU counts as a fraction
  std::optional<Bytes> gpu_memory;  // of one GPU, where an imported file says it of an unknown GPU
  std::string accelerator;  // provider's word for GPUs that it prices apart from the host; usually empty
  bool accelerator_only = false;  // the price of GPUs alone, without any host: cannot be rented so

  double vcpus = 0;       // 0 = not stated
  Bytes memory;           // 0 = not stated
  std::string cpu;        // id in Catalog::cpus; may be empty
  std::string gpu_link;   // id in Catalog::links between its GPUs; empty with less than two
  std::string node_link;  // id in Catalog::links between such machines; may be empty
  std::optional<Bandwidth> node_link_bandwidth;  // per direction; where it differs from the link's
  std::optional<Watts> idle;                     // of the machine without work
  std::optional<Watts> busy;                     // more for each GPU that works

  std::vector<Price> prices;  // main region first; may be empty
  bool listed = true;         // false: prices of a study, at which nobody can rent it
  std::string source;
  std::string date;  // when the source was read; empty in imported files, which do not say
  std::string notes;
};

// The price in a region; nothing if the machine is not sold there.
const Price* find_price(const Machine&, std::string_view region);
// The lowest on-demand price over all regions, and the lowest spot price.
std::optional<DollarRate> lowest_on_demand(const Machine&);
std::optional<DollarRate> lowest_spot(const Machine&);

}  // namespace sextant::catalog
