// This machine as a device: what its calibration rests on, and how far its predictions are off.
#pragma once

#include <vector>

#include "sextant/calibrate/calibrate.h"
#include "sextant/calibrate/local_accuracy.h"
#include "sextant/core/json.h"
#include "sextant/report/table.h"

namespace sextant::report {

Table calibration_result_table(const calibrate::LocalCalibration& calibration);
Table local_accuracy_table(const std::vector<calibrate::AccuracyRow>& rows);
// One line for each network that was fitted: mean error over the batches, and each batch.
Table transfer_table(const std::vector<calibrate::TransferRow>& rows);

}  // namespace sextant::report
