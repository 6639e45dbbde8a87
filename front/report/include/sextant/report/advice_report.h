// Advice: offers in a table, sentences under it, and the Pareto front as a picture.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sextant/ask/advise.h"
#include "sextant/report/result.h"
#include "sextant/report/svg_front.h"

namespace sextant::report {

// What people and CSV get of it; JSON has all.
struct AdviceView {
  std::optional<std::size_t> rows = {};  // of the best offers; 0: all; none: some, and the front
  bool explain = false;                  // what each strategy makes of the first offer
};
Result advice_result(const ask::AdviseAnswer& answer, const AdviceView& view = {});
FrontPlot front_plot(const plan::Advice& advice, const std::string& job);
// "deadline is the tightest constraint; nearest: ..."; only where nothing fits.
std::string nothing_fits_text(const plan::Advice& advice);
// Bounds that hold by default and keep offers out, in sentences without the full stop.
std::vector<std::string> bound_texts(const ask::AdviseAnswer& answer);
// "312 offers, too little memory (nearest: ...); 40, no price known", or nothing.
std::string refusals_text(const std::vector<plan::Refusal>& refusals);

}  // namespace sextant::report
