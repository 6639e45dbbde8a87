// Advice and scaling: offers in a table, sentences under it, and the Pareto front as a picture.
#pragma once

#include <string>

#include "sextant/core/json.h"
#include "sextant/plan/advise.h"
#include "sextant/plan/scale.h"
#include "sextant/report/table.h"

namespace sextant {

// The best `rows` offers, and those on the front after them; 0: all.
Table advice_table(const Advice& advice, std::size_t rows);
Json to_json(const Advice& advice, const Offers& offers);
// What each strategy makes of the first offer: "data 198 ms, zero-1 199 ms; not: tensor (shape: ...)".
std::string strategies_text(const std::vector<StrategyVerdict>& verdicts);
Json to_json(const std::vector<StrategyVerdict>& verdicts);
// "memory 312 (nearest: ...), network 40", or nothing.
std::string refusals_text(const std::vector<Refusal>& refusals);

// A line for each size of the data set: machines that keep the deadline, and where more stop paying.
Table scale_table(const ScaleAnswer& answer, const ScaleRequest& request);
// Every number of machines.
Table curve_table(const ScaleAnswer& answer);

}  // namespace sextant
