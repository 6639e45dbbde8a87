#include "sextant/ask/network_times.h"

#include <cmath>
#include <optional>

#include "sextant/ask/predict.h"
#include "sextant/core/text.h"
#include "sextant/core/unit_text.h"

namespace sextant::ask {
namespace {

constexpr double kIntervalWidth = 2 * 1.6449;  // of a 90 % interval, in standard deviations
// Of the logarithm, where there is no upper end: the time may be four times as long, with 95 %.
constexpr double kUnknownSpread = 1.3863 / 1.6449;

// Nothing where there is no upper end.
std::optional<double> spread_of(const predict::Prediction& prediction) {
  const auto& [low, high] = prediction.interval;
  if (!high || !(low > Seconds{})) return std::nullopt;
  return *high > low ? std::log(*high / low) / kIntervalWidth : 0;
}

PredictQuestion question_of(const capacity::TrainedNetwork& network) {
  PredictQuestion question;
  question.job.net.name = network.net;
  question.job.precision = network.precision;
  if (!network.stack.empty()) question.job.stack = network.stack;
  question.batches = {network.batch};
  question.samples = network.samples;
  question.epochs = network.epochs;
  return question;
}

// False: the catalogue does not know its GPU.
bool ask_about(const capacity::MachineType& machine, const catalog::Catalog& catalog,
               PredictQuestion& question) {
  const catalog::Machine* known = catalog.machines.find(machine.name);
  if (known != nullptr && known->gpu_known && fold_name(known->gpu) == fold_name(machine.gpu) &&
      known->gpu_count >= machine.gpus) {
    question.machines = {machine.name};
  } else if (catalog.gpus.find(machine.gpu) != nullptr) {
    question.gpus = {machine.gpu};
  } else {
    return false;
  }
  for (std::int64_t gpus = 1; gpus <= machine.gpus; gpus *= 2) question.layout.counts.push_back(gpus);
  return true;
}

// Why there is no time at all.
class Shortage {
 public:
  void add(const Answer& answer) {
    const Bytes missing = answer.prediction.memory.total() - answer.gpu_memory;
    if (least_ && *least_ <= missing) return;
    least_ = missing;
    said_ = "on " + answer.gpu + " it takes " + human(answer.prediction.memory.total()) + " of each GPU's " +
            human(answer.gpu_memory);
  }
  [[nodiscard]] InputError error(const capacity::TrainedNetwork& network) const {
    if (!least_) {
      return {network.at, "the times of '" + network.net + "' cannot be predicted for any machine type here",
              "give the times, or machine types with a GPU of the catalogue"};
    }
    return {network.at, "'" + network.net + "' does not fit the memory of any machine type here: " + said_,
            network.precision == "fp32" || network.precision == "tf32"
                ? "a smaller batch, precision bf16 instead of " + network.precision + ", or larger GPUs"
                : "a smaller batch, or larger GPUs"};
  }

 private:
  std::optional<Bytes> least_;
  std::string said_;
};

}  // namespace

PredictedTimes network_times(const capacity::TrainedNetwork& network,
                             const std::vector<capacity::MachineType>& types,
                             const catalog::Catalog& catalog) {
  PredictedTimes times;
  Shortage shortage;
  for (std::size_t type = 0; type < types.size(); ++type) {
    PredictQuestion question = question_of(network);
    if (!ask_about(types[type], catalog, question)) continue;
    bool bounded = true;
    try {
      for (const Answer& answer : predict(question, catalog).list) {
        const auto total = answer.total_time();
        if (!answer.prediction.fits) shortage.add(answer);
        if (!answer.prediction.fits || !total) continue;
        const auto spread = spread_of(answer.prediction);
        bounded = bounded && spread;
        times.options.push_back({.type = static_cast<std::int32_t>(type),
                                 .gpus = static_cast<std::int32_t>(answer.job.layout.devices()),
                                 .time = *total,
                                 .spread = spread.value_or(kUnknownSpread)});
      }
    } catch (const InputError& error) {
      throw InputError(network.at, error.message(), error.hint());
    }
    if (!bounded) times.bounded_below.push_back(types[type].name);
  }
  if (times.options.empty()) throw shortage.error(network);
  return times;
}

}  // namespace sextant::ask
