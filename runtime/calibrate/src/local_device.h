// The machine as an entry of the catalogue.
#pragma once

#include <span>
#include <string>

#include "sextant/catalog/gpu.h"
#include "sextant/predict/calibrated_device.h"

namespace sextant::calibrate {

// Name and memory from the system, rates as the timed operators reached them.
catalog::Gpu describe_machine(const std::string& id, std::int64_t threads,
                              std::span<const predict::TimedNetwork> networks);

// A catalogue file with this device alone, whose calibration lies beside it.
std::string catalog_text(const catalog::Gpu& gpu, const std::string& calibration_file);

}  // namespace sextant::calibrate
