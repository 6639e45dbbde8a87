// Tables of steps: cases as their users write them, with what they leave open filled in as is usual.
#pragma once

#include <vector>

#include "sextant/catalog/catalog.h"
#include "sextant/core/csv.h"
#include "sextant/llm/step_case.h"

namespace sextant::llm {

// A row with the columns `model, task, gpu, gpus, gpus_per_node, network_gbps_per_gpu, precision, seq_len,
// micro_batch, global_batch, dp, tp, pp, vp, cp, ep, sequence_parallel, sharding, recompute, framework`, of
// which `model`, `gpu`, `gpus` and `seq_len` must have values; or with those of MLPerf's results
// (`benchmark`, `accelerators`, `grad_accumulation`, ...), whose layouts are inferred where the configuration
// does not name them. InputError with the place in the table.
StepCase read_step_case(const CsvTable& table, std::size_t row, const catalog::Catalog& catalog);
bool is_mlperf_table(const CsvTable& table);

}  // namespace sextant::llm
