// Quantities as people write them: "16 GiB", "900 GB/s", "15.7 TFLOP/s", "0.56 USD/h", "1530 MHz".
// A number without a unit is an error, so a file cannot be misread by a factor of 1024 or 3600.
#pragma once

#include <string>
#include <string_view>

#include "sextant/core/error.h"
#include "sextant/core/units.h"

namespace sextant {

// Each throws InputError at `at` for a missing or unknown unit (with the known ones as hint),
// and for a value that is not finite or is negative.
Seconds parse_seconds(std::string_view text, const SourcePos& at);         // ns us ms s min h d
Bytes parse_bytes(std::string_view text, const SourcePos& at);             // B kB MB GB TB KiB MiB GiB TiB
Bandwidth parse_bandwidth(std::string_view text, const SourcePos& at);     // any bytes unit "/s", bit/s
FlopRate parse_flop_rate(std::string_view text, const SourcePos& at);      // GFLOP/s TFLOP/s PFLOP/s
DollarRate parse_dollar_rate(std::string_view text, const SourcePos& at);  // USD/h
Dollars parse_dollars(std::string_view text, const SourcePos& at);         // USD
Hertz parse_hertz(std::string_view text, const SourcePos& at);             // Hz kHz MHz GHz
Watts parse_watts(std::string_view text, const SourcePos& at);             // W kW

// For people: three or four significant digits and a fitting prefix ("12.4 ms", "97.5 MiB").
std::string human(Seconds);
std::string human(Bytes);
std::string human(Bandwidth);
std::string human(FlopRate);
std::string human(Flops);
std::string human(Dollars);
std::string human(DollarRate);  // per hour
std::string human(Hertz);
std::string human(Watts);
std::string human_count(double);  // "25.6 M"

}  // namespace sextant
