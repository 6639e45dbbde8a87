// Aggregation rules and attacks, listed and described: besides what every plug-in says, what a rule
// withstands and costs, and what an attack needs.
#pragma once

#include "sextant/report/result.h"
#include "sextant/robust/attack.h"
#include "sextant/robust/rule.h"

namespace sextant::report {

Table rules_table(const Registry<robust::AggregationRuleInfo>& rules);
Table attacks_table(const Registry<robust::AttackInfo>& attacks);
Result description(const robust::AggregationRuleInfo& rule);
Result description(const robust::AttackInfo& attack);

}  // namespace sextant::report
