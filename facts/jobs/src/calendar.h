// Times as logs write them. A date that the calendar does not have, 30 February or month 13, is no time.
#pragma once

#include <optional>
#include <string_view>

namespace sextant::jobs {

// "2017-10-09 05:51:33" as seconds since 1970 without regard to zones, a T may stand between date and time;
// nothing for anything else.
std::optional<double> calendar_seconds(std::string_view text);

// The same, and what RFC 3339 puts behind it: a fraction of the second, and Z or a distance from UTC,
// "2024-01-05T10:00:00.25+02:00". Without either it counts as UTC.
std::optional<double> instant_seconds(std::string_view text);

// Slurm's lengths of time, "05:30" (minutes and seconds), "02:05:30", "1-02:05:30", "1-02"; nothing for
// anything else.
std::optional<double> clock_seconds(std::string_view text);

}  // namespace sextant::jobs
