// What pipelines may be asked: parameters, their names, what cannot be, and values worth trying.
#include <algorithm>
#include <cmath>
#include <optional>

#include "parts.h"
#include "pipeline_step.h"

namespace sextant::parallel {
namespace {

constexpr std::int64_t kUsualMicro = 4;  // micro-batches a stage

// Four a stage, but none without a sample; whole rounds of the stages where these have several pieces.
std::int64_t usual_micro(double samples, const PipelineRequest& request) {
  const auto most = static_cast<double>(kUsualMicro * request.stages);
  double micro = std::floor(std::min(samples, most));
  if (request.pieces > 1) micro -= std::fmod(micro, static_cast<double>(request.stages));
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(micro));
}

std::optional<Infeasible> check(const ParallelQuery& query, const PipelineRequest& request) {
  const std::int64_t devices = query.placement.total();
  if (auto uneven = uneven_groups(request.strategy, request.stages, devices)) return uneven;
  if (auto uneven = uneven_batch(request.strategy, query.batch, devices / request.stages)) return uneven;
  const auto layers = static_cast<std::int64_t>(slowest_load(query).layers().size());
  if (layers < request.stages * request.pieces) {
    return Infeasible{Limit::shape, std::string(request.strategy) + ": " +
                                        std::to_string(request.stages * request.pieces) +
                                        " pieces, but the network has " + std::to_string(layers) + " layers"};
  }
  return std::nullopt;
}

std::optional<Infeasible> check_micro(const PipelineRequest& request, const PipelineShape& shape,
                                      double samples) {
  if (static_cast<double>(shape.micro) > samples) {
    return Infeasible{Limit::divisibility, std::string(request.strategy) + ": " +
                                               std::to_string(shape.micro) + " micro-batches of " +
                                               number_text(samples) + " samples; each needs one"};
  }
  if (shape.pieces == 1) return std::nullopt;
  const std::string name = request.strategy;
  if (request.schedule == Schedule::gpipe) {
    return Infeasible{Limit::shape, name + ": several pieces on a device need schedule=1f1b"};
  }
  if (shape.micro % shape.stages == 0) return std::nullopt;
  return Infeasible{Limit::divisibility, name + ": interleaving needs micro-batches in multiples of the " +
                                             std::to_string(shape.stages) + " stages, not " +
                                             std::to_string(shape.micro)};
}

}  // namespace

double replica_batch(const ParallelQuery& query, const PipelineRequest& request) {
  return query.batch * static_cast<double>(request.stages) / static_cast<double>(query.placement.total());
}

std::variant<PipelineShape, Infeasible> shape_of(const ParallelQuery& query, const PipelineRequest& request) {
  if (auto why = check(query, request)) return *why;
  const double samples = replica_batch(query, request);
  const std::int64_t micro = request.micro > 0 ? request.micro : usual_micro(samples, request);
  const PipelineShape shape{request.stages, micro, request.pieces};
  if (auto why = check_micro(request, shape, samples)) return *why;
  return shape;
}

Seconds pipeline_at_least(const ParallelQuery& query, const PipelineRequest& request) {
  const auto found = shape_of(query, request);
  if (found.index() != 0) return {};
  const PipelineShape& shape = std::get<0>(found);
  const auto micros = static_cast<double>(shape.micro);
  const double micro = std::floor(replica_batch(query, request) / micros);  // of the smaller ones
  const std::shared_ptr<const Workload> load = slowest_load(query).for_pass(micro);
  const LoadSum& total = load->total();
  const Seconds busy =
      micros / static_cast<double>(shape.stages) * (total.forward_of(micro) + total.backward_of(micro));
  return (1 + bubble_overhead(shape)) * busy + load->terms().input;
}

std::vector<ParameterInfo> pipeline_parameters(const char* stages) {
  return {count_parameter("stages", stages, {0, 0, 1e6}),
          count_parameter("micro", "micro-batches of a replica; 0: 4 a stage, or one a sample", {0, 0, 1e6}),
          word_parameter("schedule", "gpipe, or 1f1b, which starts backward passes early", {"gpipe", "1f1b"},
                         "1f1b"),
          count_parameter("pieces", "of the network on each device: interleaving, with 1f1b", {1, 1, 64})};
}

PipelineRequest pipeline_request(const char* strategy, const Parameters& parameters) {
  PipelineRequest request{strategy};
  request.stages = parameters.count("stages");
  request.micro = parameters.count("micro");
  request.schedule = parameters.one_of<Schedule>("schedule");
  request.pieces = parameters.count("pieces");
  return request;
}

void append_pipelines(std::vector<Parameters>& list, Parameters usual, std::int64_t stages, double samples) {
  const auto fewest = static_cast<double>(stages);
  usual.set("stages", fewest);
  list.push_back(usual);
  if (fewest <= samples) {
    list.push_back(usual);
    list.back().set("micro", fewest);
  }
  if (2 * fewest <= samples) {
    list.push_back(std::move(usual));
    list.back().set("micro", 2 * fewest);
    list.back().set("pieces", 2);
  }
}

}  // namespace sextant::parallel
