// The kinds that are registries of plug-ins: what `list` and `describe` show of one comes from what its
// plug-ins say about themselves. plugin_kinds() is made by CMake from the calls of sextant_plugins().
#pragma once

#include "kinds.h"
#include "sextant/core/registry.h"
#include "sextant/nets/network.h"
#include "sextant/report/catalog_report.h"
#include "sextant/robust/attack.h"
#include "sextant/robust/rule.h"

namespace sextant::cli {

// Of a name that a user gave.
inline const SourcePos kName{"NAME"};

template <class Info>
Kind kind_of(const Registry<Info>& (*registry)()) {
  return {Info::kKind.singular, Info::kKind.plural, Info::kKind.summary,
          [=](const catalog::Catalog&) {
            return report::table_of(report::plugin_list_fields(Info::kKind.singular), registry().all());
          },
          [=](const catalog::Catalog&, const std::string& name) {
            return report::description(Info::kKind.singular, registry().get(name, kName));
          }};
}

// These have fields of their own.
Kind kind_of(const Registry<nets::Network>& (*registry)());
Kind kind_of(const Registry<robust::AggregationRuleInfo>& (*registry)());
Kind kind_of(const Registry<robust::AttackInfo>& (*registry)());

std::vector<Kind> plugin_kinds();

}  // namespace sextant::cli
