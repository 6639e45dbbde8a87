// Steps the whole way from the catalogue's figures: a network of the zoo on GPUs that are drawn up for the
// test.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "sextant/parallel/cluster_predictor.h"

namespace sextant::parallel {

inline const catalog::Catalog& figures() {
  static const catalog::Catalog all = catalog::builtin_catalog();
  return all;
}

struct Asked {
  const char* net = "";
  std::int64_t batch = 1;  // of a device
  std::string strategy;
  std::int64_t devices = 2;
  const char* predictor = "kernel";
  Precision precision = Precision::fp32;
};

inline std::string text_of(const Asked& asked) {
  return std::string(asked.predictor) + " " + asked.net + " batch " + std::to_string(asked.batch) + " on " +
         std::to_string(asked.devices) + " " + asked.strategy + " " + to_string(asked.precision);
}

// A T4 with so many times its arithmetic and its bandwidth; the id is none that a stack knows.
inline catalog::Gpu scaled_gpu(double arithmetic, double bandwidth) {
  catalog::Gpu gpu = figures().gpus.get("t4");
  gpu.id = "drawn-" + number_text(arithmetic) + "-" + number_text(bandwidth);
  gpu.fp32 = arithmetic * gpu.fp32;
  if (gpu.tensor_fp16) gpu.tensor_fp16 = arithmetic * *gpu.tensor_fp16;
  gpu.memory_bandwidth = bandwidth * gpu.memory_bandwidth;
  gpu.memory = 100 * gpu.memory;  // what fits is another question
  return gpu;
}

inline const predict::Predictor& predictor_of(const std::string& id) {
  static std::map<std::string, std::unique_ptr<predict::Predictor>> made;
  auto& predictor = made[id];
  if (predictor == nullptr) predictor = predict::predictors().get(id).make({.catalog = &figures()});
  return *predictor;
}

// A graph is built once for all devices.
class WholeWay {
 public:
  explicit WholeWay(const Asked& asked)
      : predictor_(figures(), predictor_of(asked.predictor)), job_(job_of(asked)) {
    graph_ = build(nets::zoo().get(asked.net), job_.sizes);
    counted_ = cost(graph_, job_.precision);
  }

  // Nothing where the strategy is not for this layout.
  [[nodiscard]] std::optional<double> step_s(const catalog::Gpu& gpu) const {
    try {
      return predictor_.predict({job_, graph_, counted_, gpu}).iteration.value;
    } catch (const InputError&) {
      return std::nullopt;
    }
  }

 private:
  static jobs::Job job_of(const Asked& asked) {
    jobs::Job job;
    job.net = asked.net;
    job.sizes.batch = asked.batch;
    job.precision = asked.precision;
    job.layout.placement = jobs::Placement::packed(asked.devices, 4);
    job.layout.strategy = asked.strategy;
    job.layout.link = "ethernet-25g";  // between nodes of four
    return job;
  }

  ClusterPredictor predictor_;
  jobs::Job job_;
  nets::Graph graph_;
  nets::GraphCost counted_;
};

}  // namespace sextant::parallel
