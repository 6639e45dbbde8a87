#include "sextant/report/robust_report.h"

#include "catalog_fields.h"
#include "sextant/report/catalog_report.h"

namespace sextant::report {
namespace {

using enum Importance;
using robust::AggregationRuleInfo;
using robust::AttackInfo;

constexpr std::size_t kOfClients = 100;

std::string attack_means(const AttackInfo& attack) {
  if (attack.poisons && attack.forges) return "data and updates";
  return attack.poisons ? "data" : "updates";
}

std::string claims_text(const AggregationRuleInfo& rule) {
  std::vector<std::string> claims;
  if (rule.claims.permutation_invariant) claims.emplace_back("the order of updates does not matter");
  if (rule.claims.translation_equivariant) claims.emplace_back("moves with the updates");
  if (rule.claims.keeps_memory) claims.emplace_back("remembers rounds");
  if (rule.claims.weighs) claims.emplace_back("counts samples");
  if (!rule.claims.bounded) claims.emplace_back("withstands attackers that send the same");
  return join(claims, "; ");
}

// Behind what all plug-ins say, before the parameters.
void add_facts(Result& result, const std::vector<std::pair<std::string, std::string>>& facts) {
  auto& rows = result.sections[0].table.rows;
  auto place = std::ranges::find_if(rows, [](const auto& row) { return row[0].shown == "parameter"; });
  for (const auto& [field, value] : facts) place = std::next(rows.insert(place, {field, value}));
}

}  // namespace

Table rules_table(const Registry<AggregationRuleInfo>& rules) {
  const Fields<AggregationRuleInfo> fields = {
      {"rule", "rule", [](const AggregationRuleInfo& r) { return Cell(r.id); }, identity},
      {"withstands", "of 100",
       [](const AggregationRuleInfo& r) {
         return Cell(static_cast<std::int64_t>(r.most_attackers(kOfClients)));
       }},
      {"summary", "summary", [](const AggregationRuleInfo& r) { return Cell(r.summary); }, essential}};
  return table_of(fields, rules.all());
}

Table attacks_table(const Registry<AttackInfo>& attacks) {
  const Fields<AttackInfo> fields = {
      {"attack", "attack", [](const AttackInfo& a) { return Cell(a.id); }, identity},
      {"changes", "changes", [](const AttackInfo& a) { return Cell(attack_means(a)); }},
      {"summary", "summary", [](const AttackInfo& a) { return Cell(a.summary); }, essential}};
  return table_of(fields, attacks.all());
}

Result description(const AggregationRuleInfo& rule) {
  Result result = description(AggregationRuleInfo::kKind.singular, static_cast<const PluginInfo&>(rule));
  add_facts(result,
            {{"withstands", std::to_string(rule.most_attackers(kOfClients)) + " attackers of 100 clients"},
             {"claims", claims_text(rule)},
             {"cost", rule.cost + ", of n updates of d numbers"}});
  return result;
}

Result description(const AttackInfo& attack) {
  Result result = description(AttackInfo::kKind.singular, static_cast<const PluginInfo&>(attack));
  add_facts(result, {{"changes", attack_means(attack)},
                     {"sees", attack.omniscient ? "what honest clients send" : "what attackers compute"}});
  return result;
}

}  // namespace sextant::report
