// Advice and scaling: offers in a table, sentences under it, and the Pareto front as a picture.
#pragma once

#include <string>
#include <vector>

#include "sextant/ask/advise.h"
#include "sextant/core/json.h"
#include "sextant/report/svg_front.h"
#include "sextant/report/table.h"

namespace sextant::report {

// The best `rows` offers, and those on the front after them; 0: all.
Table advice_table(const ask::AdviseAnswer& answer, std::size_t rows);
Json to_json(const ask::AdviseAnswer& answer);
FrontPlot front_plot(const plan::Advice& advice, const std::string& net);
// "deadline is the tightest constraint; nearest: ..."; only where nothing fits.
std::string nothing_fits_text(const plan::Advice& advice);
// "memory 312 (nearest: ...); network 40 (...)", or nothing.
std::string refusals_text(const std::vector<plan::Refusal>& refusals);

// A line for each size of the data set: machines that keep the deadline, and where more stop paying.
Table scale_table(const ask::ScaleAnswers& answer);
// Every number of machines.
Table curve_table(const ask::ScaleAnswers& answer);
// Sizes that no number of machines holds, or gets done in time.
std::vector<std::string> scale_warnings(const ask::ScaleAnswers& answer);

}  // namespace sextant::report
