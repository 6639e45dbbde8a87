// sextant calibrate: this machine becomes a device that predict knows.
#include <memory>

#include "catalog_option.h"
#include "interrupt.h"
#include "progress.h"
#include "sextant/cli/command.h"
#include "sextant/cli/run.h"
#include "sextant/core/unit_text.h"
#include "sextant/report/local_report.h"
#include "user_folder.h"

namespace sextant {
namespace {

struct CalibrateArgs {
  std::string id = "local";
  std::int64_t threads = 1;
  std::string budget = "4min";
  std::optional<std::string> folder;
  bool check = false;
  bool per_layer = false;
};

std::filesystem::path folder_of(const CalibrateArgs& args) {
  const std::filesystem::path folder = args.folder ? std::filesystem::path(*args.folder) : user_folder();
  if (folder.empty())
    throw InputError({"--folder"}, "there is no home to keep the device in", "name a folder");
  return folder;
}

int measure_device(const CalibrateArgs& args, const Io& io, const Globals& globals) {
  const Interrupt interrupt;
  CalibrateOptions options;
  options.id = args.id;
  options.threads = args.threads;
  options.budget_s = parse_seconds(args.budget, {"--budget"}).value;
  options.folder = folder_of(args);
  options.seed = static_cast<std::uint64_t>(globals.seed);
  options.interrupted = [&] { return interrupt.asked(); };
  const LocalCalibration calibration = calibrate(options, *progress_on(io));
  for (const std::string& warning : calibration.warnings) warn(io, warning);
  write_table(io, globals, calibration_result_table(calibration));
  return calibration.interrupted ? kInterrupted : kDone;
}

// The threads that the device was calibrated with are those to compare with.
int check_device(const CalibrateArgs& args, const Io& io, const Globals& globals) {
  const Catalog catalog = open_catalog(io, globals);
  const Gpu& gpu = catalog.gpus.get(args.id, {"--id"});
  if (args.per_layer) {
    TransferOptions options;
    options.threads = args.threads;
    write_table(io, globals, transfer_table(per_layer_transfer(gpu, options, *progress_on(io))));
    return kDone;
  }
  if (gpu.calibration.empty()) {
    throw InputError({"--check"}, "'" + gpu.id + "' is not calibrated", "run 'sextant calibrate' first");
  }
  const CalibratedDevice device = load_calibration(gpu);
  const Interrupt interrupt;
  AccuracyOptions options;
  options.cases = usual_accuracy_cases();
  options.threads = device.threads;
  options.budget_s = parse_seconds(args.budget, {"--budget"}).value;
  options.seed = static_cast<std::uint64_t>(globals.seed);
  options.interrupted = [&] { return interrupt.asked(); };
  write_table(io, globals, local_accuracy_table(local_accuracy(device, gpu, options, *progress_on(io))));
  return interrupt.asked() ? kInterrupted : kDone;
}

}  // namespace

std::vector<Command> command_calibrate() {
  const auto args = std::make_shared<CalibrateArgs>();
  return {
      {.path = "calibrate",
       .summary = "make this machine a device that predict knows",
       .details = "Times operators and steps of drawn networks, none of them from the zoo, fits a model to "
                  "them, and "
                  "adds the device to your\ncatalogue: SEXTANT_HOME, else ~/.config/sextant. Leave the "
                  "machine alone "
                  "meanwhile. --check then trains networks of the zoo and\ncompares.",
       .examples = {"sextant calibrate --threads 2", "sextant predict resnet50 --gpu local --batch 1,4,16",
                    "sextant calibrate --check --budget 15min"},
       .options = {{.name = "id", .summary = "name of the device", .target = &args->id, .value_name = "ID"},
                   {.name = "threads",
                    .summary = "threads of each worker",
                    .target = &args->threads,
                    .value_name = "N",
                    .low = 1,
                    .high = 1024},
                   {.name = "budget",
                    .summary = "at most so much time",
                    .target = &args->budget,
                    .value_name = "TIME"},
                   {.name = "folder",
                    .summary = "where the device is kept, instead of the user's catalogue",
                    .target = &args->folder,
                    .value_name = "DIR"},
                   {.name = "check",
                    .summary = "train networks of the zoo and compare with predictions",
                    .target = &args->check},
                   {.name = "per-layer",
                    .summary = "per-layer regressions of AlexNet and GoogLeNet, each asked about AlexNet",
                    .target = &args->per_layer}},
       .run = [args](const Io& io, const Globals& globals) {
         return args->check || args->per_layer ? check_device(*args, io, globals)
                                               : measure_device(*args, io, globals);
       }}};
}

}  // namespace sextant
