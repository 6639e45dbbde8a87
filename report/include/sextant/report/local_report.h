// This machine as a device: what its calibration rests on, and how far its predictions are off.
#pragma once

#include <vector>

#include "sextant/core/json.h"
#include "sextant/report/table.h"
#include "sextant/study/calibrate.h"
#include "sextant/study/local_accuracy.h"

namespace sextant {

Table calibration_result_table(const LocalCalibration& calibration);
Table local_accuracy_table(const std::vector<AccuracyRow>& rows);
// One line for each network that was fitted: mean error over the batches, and each batch.
Table transfer_table(const std::vector<TransferRow>& rows);

}  // namespace sextant
