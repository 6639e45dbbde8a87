// A cluster as a collective sees it: how many GPUs a node has, what joins them, and what joins the nodes.
// Facts from models/collectives/data/systems.toml, from a user's file, from a machine type, or from plain
// links.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sextant/catalog/catalog.h"
#include "sextant/core/registry.h"
#include "sextant/core/units.h"

namespace sextant::collectives {

// Links of one kind share coefficients.
enum class Wire {
  direct,   // GPU to GPU: NVLink, Infinity Fabric
  pcie,     // with peer access
  staged,   // PCIe, by way of the host's memory
  network,  //
};
inline constexpr std::array<const char*, 4> kWires = {"direct", "pcie", "staged", "network"};

struct LinkUse {
  std::string link;  // id in the catalogue
  Wire wire = Wire::direct;
  Bandwidth bandwidth;   // nominal, per direction
  bool reduces = false;  // where a switch joins the GPUs, it sums (NVLink SHARP)
};

struct System {
  std::string id;
  std::vector<std::string> aliases = {};
  std::string gpu = {};
  std::string architecture = {};  // of the GPU; empty: not stated
  std::int64_t gpus = 1;          // of a node
  LinkUse inside;
  std::optional<LinkUse> pairs = {};    // `inside` joins two GPUs each, and this the pairs
  std::optional<LinkUse> network = {};  // one card
  std::int64_t cards = 1;               // of a node
};

using Systems = Registry<System>;

// The systems that ship, under those of the user's files; an id that is known is replaced.
Systems load_systems(const catalog::Catalog& catalog, std::span<const std::string> user_files = {});
// One file in memory. InputError with a position.
std::vector<System> read_systems(const std::string& text, const std::string& file_name,
                                 const catalog::Catalog& catalog);

// A machine type. Its GPU's own link bandwidth counts; bridges join pairs, and PCIe the pairs.
System system_of(const catalog::Catalog& catalog, const catalog::Machine& machine);
// Plain links; an empty network joins no nodes.
System system_of(const catalog::Catalog& catalog, const std::string& link, const std::string& network);
// A name of the systems, else of the machines: InputError with a hint.
System find_system(const Systems& systems, const catalog::Catalog& catalog, const std::string& name,
                   const SourcePos& at);

// Whether the GPUs of a node meet in a switch that sums what they send. Boards of four have no switch.
bool reduces_in_switch(const System& system);

// Cards that carry traffic with so many GPUs a node: two GPUs share the card of their PCIe switch.
std::int64_t cards_in_use(const System& system, std::int64_t per_node);

}  // namespace sextant::collectives
