// ernest: t = a + b s/m + c ln m + d m with coefficients of at least 0, for s the share of the data and
// m the machines (Venkataraman et al., NSDI 2016). The two features are named in that order.
#include <algorithm>

#include "grid.h"
#include "nnls_terms.h"
#include "sextant/core/error.h"
#include "sextant/core/text.h"

namespace sextant::learn::method_ernest {
namespace {

std::vector<MethodSettings> grid() {
  return grid_product({{"relative", {0, 1}}});
}

double smallest(const Sample& sample, std::size_t column) {
  double low = sample.x(0, column);
  for (std::size_t i = 1; i < sample.x.rows(); ++i) low = std::min(low, sample.x(i, column));
  return low;
}

// "batch, gpus, machine (text)"
std::string names_of(const Sample& sample) {
  std::vector<std::string> names;
  for (const SampleColumn& column : sample.columns) {
    names.push_back(column.name + (column.category ? " (text)" : ""));
  }
  return join(names, ", ");
}

std::unique_ptr<Regressor> fit(const Sample& sample, const Parameters& parameters, std::uint64_t) {
  if (sample.columns.size() != 2 || sample.columns[0].category || sample.columns[1].category) {
    throw InputError(
        {}, "ernest takes two `features` that are numbers, SCALE,MACHINES; these are " + names_of(sample));
  }
  const double fewest = smallest(sample, 1);
  if (fewest <= 0) {
    throw InputError({}, "ernest needs positive machines, and '" + sample.columns[1].name + "' has others");
  }
  const Factor scale{0, Form::identity, 0};
  const Factor machines{1, Form::identity, 0};
  const Factor inverse{1, Form::inverse, fewest / 10};
  const Factor log{1, Form::log, fewest / 10};
  return fit_nonnegative(sample, {{{{scale, inverse}}, {{log}}, {{machines}}}, {}}, parameters);
}

}  // namespace

std::vector<MethodInfo> plugin() {
  MethodInfo info;
  info.id = "ernest";
  info.summary = "a + b s/m + c ln m + d m, none negative, for `features` SCALE,MACHINES";
  info.reference = "docs/models/nnls.md";
  info.parameters = {relative_parameter()};
  info.automatic = false;
  info.grid = grid;
  info.fit = fit;
  info.load = load_linear;
  return {info};
}

}  // namespace sextant::learn::method_ernest
