// Calibrated devices: sums over operators that were timed on the device itself. Page:
// docs/models/local-device.md.
#include "calibration_cache.h"
#include "sextant/core/text.h"

namespace sextant::predict::predictor_calibrated {
namespace {

class Calibrated final : public Predictor {
 public:
  explicit Calibrated(const Setup& setup) {
    if (!setup.model.empty()) devices_ = calibrated_devices_from_json(setup.model, setup.model_file);
  }

  [[nodiscard]] Prediction predict(const Query& q) const override {
    return predict_calibrated(device_of(q.gpu), q);
  }
  [[nodiscard]] std::vector<OpTime> op_times(const Query& q) const override {
    return device_step(device_of(q.gpu), q.graph, q.cost, q.job).nodes;
  }
  [[nodiscard]] StepParts parts(const Query& q) const override { return share_out(predict(q), op_times(q)); }

 private:
  // The model's device, else what the catalogue's entry names.
  [[nodiscard]] const CalibratedDevice& device_of(const catalog::Gpu& gpu) const {
    if (const auto it = devices_.find(gpu.id); it != devices_.end()) return it->second;
    if (devices_.empty() && !gpu.calibration.empty()) return calibrations_.of(gpu);
    std::vector<std::string> known;
    for (const auto& [id, device] : devices_) known.push_back(id);
    throw InputError({}, "'" + gpu.id + "' is not calibrated",
                     known.empty() ? "'sextant calibrate' makes this machine a device"
                                   : "calibrated are " + join(known, ", "));
  }

  CalibratedDevices devices_;
  CalibrationCache calibrations_;
};

}  // namespace

std::vector<PredictorInfo> plugin() {
  return {
      {{.id = "calibrated",
        .summary = "sum over operators, each learned from operators that were timed on the device",
        .reference =
            "docs/models/local-device.md; Gaussian process regression after Rasmussen, Williams (2006)"},
       {},
       [](const Setup& setup) -> std::unique_ptr<Predictor> { return std::make_unique<Calibrated>(setup); },
       PredictorNeed::device_model}};
}

}  // namespace sextant::predict::predictor_calibrated
