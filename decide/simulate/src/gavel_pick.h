// Who runs in a round of Gavel's: type after type, rows by priority, then deficit, then share, as long as
// GPUs are left. Rows are put in order only where not all of them fit, since order decides nothing else.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gavel_table.h"

namespace sextant::simulate {

struct GavelPicked {
  std::int32_t row = 0;
  std::int32_t type = 0;
};

class GavelPicker {
 public:
  // Without `takes_idle`, rows without priority are left out.
  GavelPicker(const GavelTypes& types, std::size_t jobs, bool takes_idle);

  // To be called when rows or shares have changed.
  void refresh(const GavelTable& table);
  void pick(const GavelTable& table, std::span<const std::size_t> type_order, std::vector<GavelPicked>& out);
  // Whether the same would be picked again as long as rows and shares stay as they are, whatever the times
  // received; with types in the same order, or in any.
  [[nodiscard]] bool settled() const { return settled_; }
  [[nodiscard]] bool settled_in_any_order() const { return settled_ && !takes_idle_ && one_type_each_; }

 private:
  struct Candidate {
    double priority;
    double deficit;
    double share;
    std::int32_t row;
  };
  void pick_from(const std::vector<std::int32_t>& rows, const GavelTable& table, std::size_t type);
  void take_all(const GavelTable& table, std::size_t type);
  void take_in_order(const GavelTable& table, std::size_t type);
  [[nodiscard]] bool taken(const GavelRow& row) const;
  void take(std::int32_t index, const GavelTable& table, std::size_t type);

  const GavelTypes& types_;
  bool takes_idle_;
  bool settled_ = false;
  bool one_type_each_ = false;  // no row has priority on two
  std::vector<char> types_of_ = {};
  std::vector<std::vector<std::int32_t>> entitled_;  // by type: rows with priority
  std::vector<std::vector<std::int32_t>> others_;    // by type: rows that could run there without
  std::vector<std::uint32_t> round_of_;              // by job: the last round in which it was taken
  std::uint32_t round_ = 0;
  std::int32_t jobs_left_ = 0;  // not taken
  std::int64_t gpus_left_ = 0;  // of the type at hand
  std::vector<std::int32_t> candidates_ = {};
  std::vector<Candidate> queue_ = {};
  std::vector<GavelPicked>* out_ = nullptr;
};

}  // namespace sextant::simulate
