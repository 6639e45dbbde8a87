// The catalogue, networks and plug-ins, listed and described. A list shows some fields of each thing; a
// description shows all of one, downwards, and leaves out what is not stated. Files have all in both.
#pragma once

#include <string>

#include "sextant/catalog/catalog.h"
#include "sextant/core/parameters.h"
#include "sextant/nets/network.h"
#include "sextant/report/result.h"

namespace sextant::report {

Table gpus_table(const catalog::Catalog& catalog);
Table cpus_table(const catalog::Catalog& catalog);
Table links_table(const catalog::Catalog& catalog);
Table machines_table(const catalog::Catalog& catalog);
Table networks_table(const Registry<nets::Network>& networks);
Fields<PluginInfo> plugin_list_fields(const std::string& kind);
// Of a kind in its plural: "search-strategies".
Result list_result(const std::string& kind, Table table);

Result description(const catalog::Gpu& gpu);
Result description(const catalog::Cpu& cpu);
Result description(const catalog::Link& link);
Result description(const catalog::Machine& machine);
Result description(const nets::Network& network);
Result description(const std::string& kind, const PluginInfo& plugin);
// Of another kind in its singular.
Result description_result(const std::string& kind, Table facts);

}  // namespace sextant::report
