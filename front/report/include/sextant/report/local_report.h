// This machine as a device: what its calibration rests on, and how far its predictions are off.
#pragma once

#include <vector>

#include "sextant/calibrate/calibrate.h"
#include "sextant/calibrate/local_accuracy.h"
#include "sextant/report/result.h"

namespace sextant::report {

Result calibration_result(const calibrate::LocalCalibration& calibration);
Result local_accuracy_result(const std::vector<calibrate::AccuracyRow>& rows);
// Each batch, and for each network that was fitted the mean error over them.
Result transfer_result(const std::vector<calibrate::TransferRow>& rows);

}  // namespace sextant::report
