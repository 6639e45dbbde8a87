// Machine types of the catalogue as levels of a factor: what a type stands for when a model looks at it.
#pragma once

#include "sextant/catalog/catalog.h"
#include "sextant/explore/space_toml.h"

namespace sextant::study {

// Numbers: vcpus, memory_gib, gpus, gpu_memory_gib, gpu_tflops, gpu_memory_gb_per_s (of all GPUs of the
// machine together but for the memory of one), network_gbit_per_s, usd_per_h (lowest on demand). What the
// catalogue does not say is left out; of a machine without GPU its GPU features are 0. Texts: cloud, gpu (""
// without one). `all` gives those that can be rented. Keeps a reference to the catalogue.
explore::MachineLookup catalog_machines(const catalog::Catalog& catalog);

}  // namespace sextant::study
