// One factor as an axis of the unit cube: how its values divide the interval [0, 1], and their texts.
#pragma once

#include <optional>
#include <string>

#include "sextant/explore/space.h"

namespace sextant::explore {

bool has_levels(const SearchFactor& factor);
// Of levels, or of integers in the range; infinite for a real range that is no single point.
double value_count(const SearchFactor& factor);
// The value with this place in order, from 0: an integer, or the index of a level.
double value_at(const SearchFactor& factor, double place);

double from_unit(const SearchFactor& factor, double unit);
double to_unit(const SearchFactor& factor, double value);
bool is_value(const SearchFactor& factor, double value);  // NaN is none

std::string value_text(const SearchFactor& factor, double value);
std::optional<double> parse_value(const SearchFactor& factor, const std::string& text);

// InputError for an empty or too large range, no level, a level given twice, features that are not one row
// per level or not finite.
void check_factor(const SearchFactor& factor);
// Numbers of the levels where every level is one, else none.
std::vector<double> numbers_of_levels(const SearchFactor& factor);

}  // namespace sextant::explore
