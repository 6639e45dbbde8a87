// Timed steps, ready for a fit: what was launched, on which device, how long it took, and the labels by
// which rows belong together.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "sextant/predict/device.h"
#include "sextant/predict/kernel.h"
#include "sextant/predict/predictor.h"

namespace sextant::predict {

// What a row shares with others: the groups over which left-over errors are explained.
struct CaseLabels {
  std::string gpu;
  std::string vendor;
  std::string net;
  std::string family;  // leading letters of the name: resnet of resnet50
  std::string precision;
  std::string mode;
  double size = 0;     // log2 of pixels or tokens, about 0 at 128
  double batch = 0;    // log2, about 0 at 32
  double samples = 1;  // the batch itself
};

// Versions, where a data set has several; empty: the usual one of the stack. Another framework changes
// what the host needs to issue a step, other libraries change the kernels.
struct Software {
  std::string framework;
  std::string library;
};

struct Observation {
  std::shared_ptr<const KernelList> kernels;
  Device device;
  double seconds = 0;
  CaseLabels labels;
  Software software;
  std::string instance;  // machine that it ran on; rows of one instance share its corrections
  // Device time by kind from a profile of the same step, where there is one; 0: not known.
  std::array<double, kKernelKinds> profile = {};
};

// "profet/resnet50" and "resnet50" are the same family.
std::string family_of(const std::string& net);

CaseLabels labels_of(const jobs::Job& job, const nets::Graph& graph, const catalog::Gpu& gpu);

// What a stack does without being asked.
struct StackTraits {
  bool accumulates_gradients = true;   // keeps gradients between steps, sets them to zero and adds to them
  bool tf32_by_default = false;        // multiplies fp32 tensors as tf32 where the device can
  bool tf32_convolutions = false;      // does so in convolutions
  bool prefetches_input = false;       // copies the next batch while it computes: no step waits for one
  std::set<std::string> runs_on = {};  // architectures that it has builds for; empty: not stated
};
KernelList lower_for(const nets::Graph& graph, const jobs::Job& job, const StackTraits& traits);

// The number format that the stack multiplies in when it is asked for this one.
Precision run_precision(const catalog::Gpu& gpu, Precision precision, const StackTraits& traits);
Precision conv_precision(const catalog::Gpu& gpu, Precision precision, const StackTraits& traits);

// The device as the stack uses it.
Device device_for(const catalog::Gpu& gpu, Precision precision, const StackTraits& traits);

// One observation for each measurement, in order; equal jobs share their kernels.
std::vector<Observation> observe(std::span<const Measurement> measured, const catalog::Catalog& catalog,
                                 const StackTraits& traits);

}  // namespace sextant::predict
