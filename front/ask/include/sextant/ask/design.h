// Which configurations to run when all are chosen before the first?
#pragma once

#include <cstdint>
#include <string>

#include "sextant/catalog/catalog.h"
#include "sextant/explore/design.h"

namespace sextant::ask {

struct DesignQuestion {
  std::string space = {};  // TOML file with the factors and constraints, or a study
  std::string design = "latin-hypercube";
  std::int64_t runs = 0;  // different ones; 0: as many as the design needs
  std::int64_t replicates = 1;
  std::int64_t blocks = 1;
  std::uint64_t seed = 0;
};

struct DesignAnswer {
  explore::SearchSpace space;
  explore::PlannedDesign design;
};

DesignAnswer plan_design(const DesignQuestion& question, const catalog::Catalog& catalog);

}  // namespace sextant::ask
