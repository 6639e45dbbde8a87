// The input rules that all statistics share (see stats/summary.h), with messages that name the subject.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace sextant::stats {

// Squares of this, summed over any sample that fits in memory, stay finite.
inline constexpr double kLargest = 1e150;
// Columns of smaller norm count as zero, so that dividing by a norm cannot overflow.
inline constexpr double kSmallest = 1e-150;

// What is wrong with a value ("is NaN"), or an empty text.
std::string fault_of(double value);

void check_values(std::span<const double> values, const std::string& subject);
void check_count(std::size_t count, std::size_t least, const std::string& subject);
void check_same_length(std::size_t a, std::size_t b, const std::string& subject);
void check_weights(std::span<const double> weights, std::size_t count, const std::string& subject);
void check_probability(double p, const std::string& subject);  // [0, 1]
void check_level(double level);                                // (0, 1)
bool all_equal(std::span<const double> values);

}  // namespace sextant::stats
