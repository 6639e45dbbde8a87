#include "sextant/ask/calibrate.h"

#include "sextant/core/unit_text.h"

namespace sextant::ask {

calibrate::LocalCalibration calibrate(const CalibrateQuestion& question, Progress& progress,
                                      const std::function<bool()>& interrupted) {
  calibrate::CalibrateOptions options;
  options.id = question.id;
  options.threads = question.threads;
  options.budget_s = parse_seconds(question.budget, at_field("budget")).value;
  if (question.folder.empty()) {
    throw InputError(at_field("folder"), "there is no home folder to keep the device in", "name a folder");
  }
  options.folder = question.folder;
  options.seed = question.seed;
  if (interrupted) options.interrupted = interrupted;
  return calibrate::calibrate(options, progress);
}

CalibrationCheck check_calibration(const CalibrateQuestion& question, const catalog::Catalog& catalog,
                                   Progress& progress, const std::function<bool()>& interrupted) {
  const catalog::Gpu& gpu = catalog.gpus.get(question.id, at_field("id"));
  if (gpu.calibration.empty()) {
    throw InputError(at_field("check"), "'" + gpu.id + "' is not calibrated",
                     "run 'sextant calibrate' first");
  }
  const predict::CalibratedDevice device = predict::load_calibration(gpu);
  calibrate::AccuracyOptions options;
  options.cases = calibrate::usual_accuracy_cases();
  options.threads = device.threads;
  options.budget_s = parse_seconds(question.budget, at_field("budget")).value;
  options.seed = question.seed;
  if (interrupted) options.interrupted = interrupted;
  CalibrationCheck check{.rows = calibrate::local_accuracy(device, gpu, options, progress)};
  check.interrupted = options.interrupted();
  return check;
}

std::vector<calibrate::TransferRow> per_layer_transfer(const CalibrateQuestion& question,
                                                       const catalog::Catalog& catalog, Progress& progress) {
  calibrate::TransferOptions options;
  options.threads = question.threads;
  return calibrate::per_layer_transfer(catalog.gpus.get(question.id, at_field("id")), options, progress);
}

}  // namespace sextant::ask
