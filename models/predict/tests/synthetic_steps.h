// Steps whose times are made with known coefficients, so that a fit has a right answer.
#pragma once

#include <string>
#include <vector>

#include "builtin.h"
#include "sextant/predict/kernel_model.h"
#include "sextant/predict/observation.h"

namespace sextant::predict::test {

struct StepPlan {
  std::vector<std::string> nets = {"resnet50", "vgg16", "mobilenet_v2", "alexnet", "densenet121", "resnet18"};
  std::vector<std::int64_t> batches = {8, 32, 128};
  std::vector<std::string> gpus = {"v100", "t4", "p100"};
};

inline std::vector<Observation> synthetic_steps(const StepPlan& plan, const Coefficients& truth) {
  std::vector<Measurement> asked;
  for (const auto& net : plan.nets) {
    for (const std::int64_t batch : plan.batches) {
      for (const auto& name : plan.gpus) {
        jobs::Job job;
        job.net = net;
        job.sizes = {.batch = batch, .image = 64};
        asked.push_back({job, gpu(name).id, Seconds{1}});
      }
    }
  }
  std::vector<Observation> rows = observe(asked, catalog(), {});
  for (Observation& row : rows) row.seconds = step_time(*row.kernels, row.device, truth).total;
  return rows;
}

inline std::vector<const Observation*> pointers(const std::vector<Observation>& rows) {
  std::vector<const Observation*> all;
  for (const Observation& row : rows) all.push_back(&row);
  return all;
}

}  // namespace sextant::predict::test
