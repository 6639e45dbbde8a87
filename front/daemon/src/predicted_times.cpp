#include "predicted_times.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "sextant/ask/predict.h"
#include "sextant/core/error.h"
#include "sextant/nets/network.h"

namespace sextant::daemon {
namespace {

constexpr double kIntervalWidth = 2 * 1.6449;  // of a 90 % interval, in standard deviations

double spread_of(const predict::Prediction& prediction) {
  const auto& [low, high] = prediction.interval;
  if (!high || low <= Seconds{0} || *high <= low) return 0;
  return std::log(*high / low) / kIntervalWidth;
}

ask::PredictQuestion question_of(const Json& network) {
  ask::PredictQuestion question;
  question.job.net.name = network.at("net").get<std::string>();
  // A client names networks, never files of this machine.
  (void)nets::zoo().get(question.job.net.name, at_field("network.net"));
  question.batches = {network.value("batch", ask::kUsualBatch)};
  question.samples = network.at("samples").get<std::int64_t>();
  question.epochs = network.value("epochs", 1.0);
  if (network.contains("precision")) question.job.precision = network.at("precision").get<std::string>();
  question.job.stack = network.value("stack", question.job.stack);
  return question;
}

void add_times(ask::PredictQuestion question, const capacity::MachineType& machine,
               const OrderContext& context, std::vector<MachineTime>& times) {
  if (context.catalog.machines.find(machine.name) != nullptr) {
    question.machines = {machine.name};
  } else if (context.catalog.gpus.find(machine.gpu) != nullptr) {
    question.gpus = {machine.gpu};
  } else {
    return;
  }
  for (std::int64_t gpus = 1; gpus <= machine.gpus; gpus *= 2) question.layout.counts.push_back(gpus);
  for (const ask::Answer& answer : ask::predict(question, context.catalog).list) {
    const auto total = answer.total_time();
    if (!answer.prediction.fits || !total) continue;
    times.push_back({.machine = machine.name,
                     .gpus = static_cast<std::int32_t>(answer.job.layout.devices()),
                     .time = *total,
                     .spread = spread_of(answer.prediction)});
  }
}

}  // namespace

std::vector<MachineTime> predicted_times(const Json& network, const OrderContext& context) {
  const ask::PredictQuestion question = question_of(network);
  std::vector<MachineTime> times;
  for (const auto& [name, machine] : context.machines) add_times(question, machine, context, times);
  if (times.empty()) {
    throw InputError(at_field("network"), "no machine type here can be predicted for, or has the memory",
                     "send `times`, or machine types with a GPU of the catalogue");
  }
  return times;
}

}  // namespace sextant::daemon
