// A line for a shell with {factor} in it. Values are never part of the line: each is a variable of the
// environment, and {factor} becomes a reference to it, so that no shell reads what a value holds.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "placeholders.h"

namespace sextant::study {

// The line with "${SEXTANT_FACTOR_batch}" for {batch}, one word whatever the value holds. Between single
// quotes a shell looks up no variable: InputError there and behind a backslash.
std::string line_for_shell(const std::string& text, const explore::SearchSpace& space, const SourcePos& at,
                           const std::vector<std::string>& extras);

// SEXTANT_FACTOR_name for each factor, SEXTANT_FACTOR_name__feature for each of its features; empty where the
// factor is absent.
std::vector<std::pair<std::string, std::string>> factor_environment(
    const explore::SearchSpace& space, const explore::Configuration& configuration);

}  // namespace sextant::study
