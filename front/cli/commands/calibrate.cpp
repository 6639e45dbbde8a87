// sextant calibrate: this machine becomes a device that predict knows.
#include "sextant/ask/calibrate.h"

#include <memory>

#include "catalog_option.h"
#include "interrupt.h"
#include "progress.h"
#include "sextant/cli/command.h"
#include "sextant/cli/run.h"
#include "sextant/report/local_report.h"
#include "user_folder.h"

namespace sextant::cli::command_calibrate {
namespace {

struct CalibrateArgs {
  ask::CalibrateQuestion question;
  std::optional<std::string> folder;
  bool check = false;
  bool per_layer = false;
};

int measure_device(const ask::CalibrateQuestion& question, const Io& io, const Globals& globals) {
  const Interrupt interrupt;
  const calibrate::LocalCalibration calibration =
      ask::calibrate(question, *told_progress_on(io), [&] { return interrupt.asked(); });
  for (const std::string& warning : calibration.warnings) warn(io, warning);
  write_result(io, globals, report::calibration_result(calibration));
  return calibration.interrupted ? kInterrupted : kDone;
}

int check_device(const ask::CalibrateQuestion& question, const Io& io, const Globals& globals) {
  const catalog::Catalog catalog = open_catalog(io, globals);
  const Interrupt interrupt;
  const auto [rows, interrupted] =
      ask::check_calibration(question, catalog, *told_progress_on(io), [&] { return interrupt.asked(); });
  write_result(io, globals, report::local_accuracy_result(rows));
  return interrupted ? kInterrupted : kDone;
}

int run_calibrate(const CalibrateArgs& args, const Io& io, const Globals& globals) {
  ask::CalibrateQuestion question = args.question;
  question.folder = args.folder ? *args.folder : user_folder().string();
  question.seed = static_cast<std::uint64_t>(globals.seed);
  if (args.per_layer) {
    const catalog::Catalog catalog = open_catalog(io, globals);
    write_result(io, globals,
                 report::transfer_result(ask::per_layer_transfer(question, catalog, *told_progress_on(io))));
    return kDone;
  }
  return args.check ? check_device(question, io, globals) : measure_device(question, io, globals);
}

}  // namespace

std::vector<Command> plugin() {
  const auto args = std::make_shared<CalibrateArgs>();
  return {
      {.path = "calibrate",
       .wish = Wish::measure,
       .summary = "make this machine a device that `predict` knows",
       .details =
           "This times operators and steps of random networks, fits a model to them, and adds the device "
           "to your catalogue (SEXTANT_HOME, else ~/.config/sextant). Do not use the machine for other "
           "work meanwhile. Afterwards, --check trains networks of the zoo and compares their times with "
           "the predictions.",
       .examples = {"sextant calibrate --threads 2", "sextant predict resnet50 --gpu local --batch 1,4,16",
                    "sextant calibrate --check --budget 15min"},
       .options =
           {{.name = "id",
             .summary = "name of the device in the catalogue",
             .target = &args->question.id,
             .value_name = "ID"},
            {.name = "threads",
             .summary = "threads that the networks are trained with",
             .target = &args->question.threads,
             .value_name = "N",
             .low = 1,
             .high = 1024},
            {.name = "budget",
             .summary = "the longest time that it may take",
             .target = &args->question.budget,
             .value_name = "TIME"},
            {.name = "folder",
             .summary = "write the device into this folder instead of your catalogue",
             .target = &args->folder,
             .value_name = "DIR",
             .writes = Writes::place},
            {.name = "check",
             .summary =
                 "train networks of the zoo and compare their times with the predictions for this device",
             .target = &args->check},
            {.name = "per-layer",
             .summary =
                 "fit per-layer regressions to AlexNet and to GoogLeNet, and predict AlexNet with each",
             .target = &args->per_layer}},
       .run = [args](const Io& io, const Globals& globals) { return run_calibrate(*args, io, globals); }}};
}

}  // namespace sextant::cli::command_calibrate
