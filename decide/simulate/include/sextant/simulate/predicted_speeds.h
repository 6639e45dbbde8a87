// Speeds of jobs by prediction: the model that a trace names, "ResNet-50 (batch size 64)" or "bert-base
// (batch size 8, seq 128)", is a network of the zoo; its step on each type is what `sextant predict` says.
#pragma once

#include <memory>
#include <string>

#include "sextant/catalog/catalog.h"
#include "sextant/jobs/job.h"
#include "sextant/jobs/trace.h"
#include "sextant/predict/predictor.h"
#include "sextant/simulate/job_set.h"

namespace sextant::simulate {

struct PredictedSpeedSetup {
  const catalog::Catalog* catalog = nullptr;  // these two outlive the source
  const predict::Predictor* one_device = nullptr;
  jobs::Job job = {};  // precision, optimizer, stack; the rest comes from the model's text
  // Between nodes of pools that name none; empty: their gangs on several nodes run at the pools' own factors.
  std::string link = {};
  // What the work of a job counts. Steps are mini-batches of all its workers together; of reference seconds
  // the speeds are relative to the first pool of the cluster.
  jobs::WorkUnit unit = jobs::WorkUnit::steps;
};

std::unique_ptr<SpeedSource> speeds_from_prediction(const PredictedSpeedSetup& setup,
                                                    const clusters::Cluster& cluster);

// The pools' own speeds, and for jobs whose model is a network of the zoo the predicted ones of pools whose
// speed came from the catalogue: steps of one device, relative to the first pool. For durations only.
std::unique_ptr<SpeedSource> speeds_by_model(const PredictedSpeedSetup& setup,
                                             const clusters::Cluster& cluster);

}  // namespace sextant::simulate
