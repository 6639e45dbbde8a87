// Rules against attacks: the table and the picture of a grid, and the shares of attackers at which rules
// break.
#pragma once

#include "sextant/ask/federate.h"
#include "sextant/report/fields.h"

namespace sextant::report {

// At least two rules under at least two attacks.
bool is_robustness_grid(const std::vector<ask::FederatedCell>& cells);
// A row for each rule, a column for each attack: accuracy, and half its 95 % interval.
Table robustness_table(const std::vector<ask::FederatedCell>& cells);
// A panel for each attack, the accuracy of each rule with its interval, and that of the mean without an
// attack.
std::string robustness_svg(const std::vector<ask::FederatedCell>& cells);

Table break_points_table(const std::vector<ask::BreakPoint>& points);
// A sentence for each attack.
std::vector<std::string> break_points_text(const std::vector<ask::BreakPoint>& points);

// "alie", or "alie, 20 %" where several shares are compared.
std::string attack_name(const federated::Federation& federation, bool with_share);

}  // namespace sextant::report
