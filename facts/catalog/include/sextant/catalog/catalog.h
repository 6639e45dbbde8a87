// The catalogue: GPUs, CPUs, links, machine types and who rents them out, built in and laid over by a user's
// files. Every reference between entries has been checked; names resolve as in Registry.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sextant/catalog/cpu.h"
#include "sextant/catalog/gpu.h"
#include "sextant/catalog/link.h"
#include "sextant/catalog/machine.h"
#include "sextant/catalog/provider.h"
#include "sextant/core/registry.h"

namespace sextant::catalog {

struct Catalog {
  Registry<Gpu> gpus;
  Registry<Cpu> cpus;
  Registry<Link> links;
  Registry<Machine> machines;
  std::vector<std::string> warnings;  // what an import could not place; never fatal
  Registry<Provider> providers = {"provider", {}};
};

// A user's file, already in memory. "*.csv" is a SkyPilot vms.csv, anything else catalogue TOML.
struct CatalogFile {
  std::string path;  // for messages; the folder of a CSV names the cloud
  std::string text;
};

// The files of facts/catalog/data, which are part of the library.
Catalog builtin_catalog();

// `base` with files laid over it. An entry with the id of an older one replaces it whole; a name that
// a newer entry claims leaves the older one's aliases; CSVs come after all TOML and, of a machine that
// is known already, bring prices only. Throws InputError.
Catalog overlay(const Catalog& base, std::span<const CatalogFile> files);

// The built-in catalogue with the user's files over it, in the order given.
Catalog load_catalog(std::span<const std::string> user_files);

// Per direction, between two GPUs of one machine: the GPU's own figure over its usual link, else the
// link's. Nothing for a machine with one GPU, or with a GPU that the catalogue does not know.
std::optional<Bandwidth> gpu_link_bandwidth(const Catalog&, const Machine&);
// Per direction, between two machines of this type; nothing where the network is not stated.
std::optional<Bandwidth> node_link_bandwidth(const Catalog&, const Machine&);

// InputError where no machine type has so many GPUs; the hint names the largest.
void check_node_size(const Catalog&, std::int64_t gpus, const SourcePos& at);

// Who rents this machine out; of one that the catalogue does not know, the usual terms.
Provider provider_of(const Catalog&, const Machine&);

// A GPU by a name that a user gave. InputError says how the machine at hand comes to its name, "local".
const Gpu& find_gpu(const Catalog& catalog, const std::string& name, const SourcePos& at);

// A link between machines. InputError for an unknown one, and for one between the GPUs of a machine.
const Link& network_link(const Catalog& catalog, const std::string& name, const SourcePos& at);

}  // namespace sextant::catalog
