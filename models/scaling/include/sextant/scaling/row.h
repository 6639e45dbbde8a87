// Steps that were timed, or are asked about: which network, on which cluster, on which GPUs of which nodes.
// Read from tables as the Sia artefact has them, from Sextant's case files, and from tables of throughput.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sextant/core/csv.h"
#include "sextant/core/units.h"
#include "sextant/jobs/placement.h"

namespace sextant::scaling {

struct ScalingQuestion {
  std::string net;
  std::string cluster;  // where no cluster is named, the GPU names it, with the host if there is one
  jobs::Placement placement;
  double batch = 1;  // samples on each GPU in a step
};

struct ScalingRow {
  ScalingQuestion at;
  Seconds step;
  std::optional<Seconds> sync = {};  // part of the step; on one GPU a trace of the size of the gradients
};

// Columns of a table by any of the names that are known for them.
class ScalingColumns {
 public:
  explicit ScalingColumns(const CsvTable& table);  // InputError where a column is missing

  [[nodiscard]] ScalingQuestion question(std::size_t row) const;  // InputError at the cell
  [[nodiscard]] ScalingRow timed(std::size_t row) const;
  [[nodiscard]] bool has_time() const { return step_ || (throughput_ && global_batch_); }
  [[nodiscard]] bool suspect(std::size_t row) const;  // marked as not to be used

 private:
  [[nodiscard]] std::string text(std::size_t row, std::optional<std::size_t> column) const;
  [[nodiscard]] jobs::Placement placement(std::size_t row) const;
  [[nodiscard]] double batch(std::size_t row, const jobs::Placement& placement) const;
  [[nodiscard]] double positive(std::size_t row, std::size_t column) const;

  const CsvTable& table_;
  std::optional<std::size_t> net_, precision_, version_, cluster_, gpu_, host_, placement_, nodes_, count_;
  std::optional<std::size_t> batch_, global_batch_, step_, sync_, throughput_, suspect_;
  double step_unit_ = 1;  // seconds
};

// All rows but suspect ones. InputError at the first cell that is wrong, or if nothing is left.
std::vector<ScalingRow> read_scaling_rows(const CsvTable& table);

}  // namespace sextant::scaling
