// Designs of experiments, one file each in decide/explore/designs: which configurations to run when all are
// chosen before the first, in a drawn order, with replicates and blocks.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sextant/core/registry.h"
#include "sextant/core/rng.h"
#include "sextant/explore/space.h"

namespace sextant::explore {

struct DesignRequest {
  const SearchSpace& space;
  std::size_t runs = 0;  // wanted; 0: the design's own number
  std::size_t replicates = 1;
  std::size_t blocks = 1;
  std::uint64_t seed = 0;
};

struct PlannedRun {
  Configuration configuration;
  std::size_t replicate = 0;
  std::size_t block = 0;
};

// An effect that a design cannot tell from others: "A" with "BD", "CE".
struct AliasRow {
  std::string effect;
  std::vector<std::string> aliases;
  double part = 1;  // of each alias in the effect's estimate: 1/3 of BC, say, where the design is no regular
                    // fraction; an effect then has a row for each part
};

struct PlannedDesign {
  std::vector<PlannedRun> runs;  // in the order to run them: drawn, block by block
  std::optional<int> resolution = {};
  std::vector<std::string> defining_relation = {};  // words, "ABD"
  std::vector<AliasRow> aliases = {};
  std::vector<std::string> notes =
      {};  // what the user should know: runs that constraints removed, efficiency
};

struct DesignInfo : PluginInfo {
  static constexpr PluginKind kKind = {"design", "designs",
                                       "configurations to run, all chosen before the first", "design"};

  std::vector<std::string> aliases = {};
  // Distinct points in standard order, without replicates and order; plan_design() adds those, and blocks
  // where the design itself puts all runs into the first.
  PlannedDesign (*make)(const DesignRequest& request, const Parameters& parameters) = nullptr;
};

// All files of decide/explore/designs, sorted by id.
const Registry<DesignInfo>& designs();

// By its text, "fractional:generators=4"; with replicates, blocks and drawn order.
PlannedDesign plan_design(const std::string& text, const DesignRequest& request, const SourcePos& at = {});

}  // namespace sextant::explore
