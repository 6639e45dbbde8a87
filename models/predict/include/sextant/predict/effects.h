// What the kernel model leaves over, explained by groups: a device that is faster than its figures, a
// network whose kernels are chosen badly, a network on one device. Each group's effect is pulled
// towards nothing, so groups with few rows say little and unknown ones nothing (a mixed model, by
// Gaussian-process regression on the logarithm of measured over modelled time).
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "sextant/predict/observation.h"

namespace sextant::predict {

// An effect is constant, or also moves with input size and batch: 1, s, b, s b, b^2.
constexpr std::size_t kEffectBasis = 5;
using EffectWeights = std::array<double, kEffectBasis>;

struct Effects {
  std::map<std::string, EffectWeights> by_group;  // "net|gpu:vgg16|t4"

  // Of log time; groups that no row belonged to add nothing.
  [[nodiscard]] double of(const CaseLabels& labels) const;
  [[nodiscard]] Effects scaled(double factor) const;
  [[nodiscard]] bool knows_net(const std::string& net) const;
  // Batches of this network, mode and precision that rows had, smallest first.
  [[nodiscard]] std::vector<std::int64_t> batches_of(const CaseLabels& labels) const;
  // Whether this network, or one of its family, was timed on any device.
  [[nodiscard]] bool knows_family(const CaseLabels& labels) const;
};

// `left_over` = log(measured / modelled), a value for each row.
Effects fit_effects(std::span<const CaseLabels> rows, std::span<const double> left_over);

// The same, with `known` already fitted: only what concerns the device of these rows is learnt anew.
Effects refine_effects(const Effects& known, std::span<const CaseLabels> rows,
                       std::span<const double> left_over);

}  // namespace sextant::predict
