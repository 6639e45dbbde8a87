// Many questions in one CSV: system, collective, num_gpus, num_nodes, bytes. A row that cannot be answered
// says why. The same columns with a time are measurements, which a fit reads.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "sextant/collectives/calibration.h"
#include "sextant/core/csv.h"

namespace sextant::collectives {

inline constexpr std::array<std::string_view, 5> kCollectiveColumns = {"system", "collective", "num_gpus",
                                                                       "num_nodes", "bytes"};

struct CollectiveCase {
  std::string system;
  CollectiveQuestion question;
};

// Where the columns stand; InputError where one is missing.
class CollectiveColumns {
 public:
  explicit CollectiveColumns(const CsvTable& table);
  [[nodiscard]] CollectiveCase read(const CsvTable& table, std::size_t row) const;
  [[nodiscard]] std::size_t system() const { return at_[0]; }

 private:
  std::array<std::size_t, kCollectiveColumns.size()> at_{};
};

struct CollectiveAnswer {
  CollectiveEstimate estimate;
  std::string error = {};  // why there is no answer; the rest is then meaningless
};

struct CollectiveContext {
  const catalog::Catalog& catalog;
  const Systems& systems;
  const Calibration& calibration;
};

// One answer for each row. InputError only where a column is missing.
std::vector<CollectiveAnswer> answer_collectives(const CsvTable& table, const CollectiveContext& context);

}  // namespace sextant::collectives
