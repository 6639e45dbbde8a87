// The catalogue, listed and described.
#pragma once

#include "sextant/catalog/catalog.h"
#include "sextant/nets/network.h"
#include "sextant/predict/predictor.h"
#include "sextant/report/table.h"

namespace sextant::report {

Table gpus_table(const catalog::Catalog& catalog);
Table cpus_table(const catalog::Catalog& catalog);
Table links_table(const catalog::Catalog& catalog);
Table machines_table(const catalog::Catalog& catalog);
Table networks_table(const Registry<nets::Network>& networks);
Table predictors_table(const Registry<predict::PredictorInfo>& predictors);

// One entry, a field a row; fields that are not stated are left out.
Table description(const catalog::Gpu& gpu);
Table description(const catalog::Cpu& cpu);
Table description(const catalog::Link& link);
Table description(const catalog::Machine& machine);
Table description(const nets::Network& network);
Table description(const PluginInfo& plugin);

}  // namespace sextant::report
