// A trial: a job that is to be trained here and timed, and how. The driver writes it to a file, the worker
// processes read it; a study varies its fields.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sextant/core/json.h"
#include "sextant/jobs/job.h"

namespace sextant::measure {

enum class OnFailure {
  stop,
  shrink
};  // shrink: go on from the last checkpoint with the workers that are left

struct Trial {
  // Trained here, in fp32. Its batch is of one worker, and its layout that of one device: how processes share
  // the work is said below.
  jobs::Job job = {.net = "lenet5", .sizes = {}, .stack = "local", .layout = {}};
  double learning_rate = 0.01;
  double momentum = 0.9;  // of Optimizer::momentum

  std::string strategy = "single";  // as text: "ps-ssp:bound=3"
  std::int64_t workers = 1;
  std::int64_t servers = 0;
  std::string transport = "gloo-tcp";
  double bucket_mb = 25;     // MiB
  bool overlap = true;       // buckets are sent while the backward pass goes on
  std::int64_t threads = 1;  // of each worker

  std::string data = "synthetic";
  std::int64_t prefetch = 2;
  std::int64_t iterations = 20;  // measured, after warmup; not used with epochs
  std::int64_t warmup = 3;
  std::optional<double> epochs = {};

  std::uint64_t seed = 0;
  bool spans = false;
  bool operators = false;  // each operator timed alone, forward and backward, instead of whole iterations

  double timeout_s = 30;  // without a sign of life
  OnFailure on_failure = OnFailure::stop;
  std::int64_t checkpoint_every = 0;  // iterations; 0: never
  std::string traceparent = {};       // W3C context of the driver's span
};

Json to_json(const Trial& trial);
Trial trial_from_json(const std::string& text, const std::string& file_name);

// Processes of a trial: ranks [0, workers) train, [workers, ranks) serve. One, where the strategy keeps all
// replicas in one process.
std::int64_t rank_count(const Trial& trial);

}  // namespace sextant::measure
