// The catalogue, listed and described.
#pragma once

#include "sextant/catalog/catalog.h"
#include "sextant/nets/network.h"
#include "sextant/predict/predictor.h"
#include "sextant/report/table.h"

namespace sextant {

Table gpus_table(const Catalog& catalog);
Table cpus_table(const Catalog& catalog);
Table links_table(const Catalog& catalog);
Table machines_table(const Catalog& catalog);
Table networks_table(const Registry<Network>& networks);
Table predictors_table(const Registry<PredictorInfo>& predictors);

// One entry, a field a row; fields that are not stated are left out.
Table description(const Gpu& gpu);
Table description(const Cpu& cpu);
Table description(const Link& link);
Table description(const Machine& machine);
Table description(const Network& network);
Table description(const PluginInfo& plugin);

}  // namespace sextant
