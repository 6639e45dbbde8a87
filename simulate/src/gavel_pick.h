// Who runs in a round of Gavel's: type after type, rows by priority, then deficit, then share, as long as
// GPUs are left. Rows are put in order only where not all of them fit, since order decides nothing else.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gavel_table.h"

namespace sextant {

struct GavelPicked {
  std::int32_t row = 0;
  std::int32_t type = 0;
};

class GavelPicker {
 public:
  // Without `takes_idle`, rows without priority are left out.
  GavelPicker(const GavelTypes& types, std::size_t jobs, bool takes_idle);

  void pick(GavelTable& table, std::span<const std::size_t> type_order, std::vector<GavelPicked>& out);
  // Whether the same would be picked again as long as rows and shares stay as they are, whatever the times
  // received; with types in the same order, or in any.
  [[nodiscard]] bool settled() const { return settled_; }
  [[nodiscard]] bool settled_in_any_order() const { return settled_ && any_order_; }

 private:
  struct Candidate {
    double priority;
    double deficit;
    double share;
    std::int32_t row;
  };
  void collect(const GavelTable& table, std::size_t type);
  void take_all(const GavelTable& table, std::size_t type, std::vector<GavelPicked>& out);
  void take_in_order(GavelTable& table, std::size_t type, std::vector<GavelPicked>& out);
  [[nodiscard]] bool taken(const GavelRow& row) const;
  void take(const GavelRow& row);

  const GavelTypes& types_;
  bool takes_idle_;
  bool settled_ = false;
  bool any_order_ = false;
  std::vector<std::uint32_t> round_of_;  // by job: the last round in which it was taken
  std::uint32_t round_ = 0;
  std::vector<Candidate> queue_ = {};
  std::vector<std::int32_t> rows_ = {};  // candidates of the type at hand
  std::int64_t demand_ = 0;              // their GPUs
  std::int32_t smallest_ = 0;            // gang among them
  bool pairs_ = false;                   // among them
};

}  // namespace sextant
