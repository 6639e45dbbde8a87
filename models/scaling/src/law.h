// The law itself, in logarithms, with its derivatives; and which coefficients a placement calls for.
#pragma once

#include <vector>

#include "coefficients.h"

namespace sextant::scaling {

// Sums of coefficients: log of the fixed part, of the part of a sample, of slow-down; of synchronisation the
// network's share, and that of the links within a node and between nodes; logit of the share of compute
// before the first gradients leave; log of the exponent of overlap less one.
struct LawInputs {
  double fixed = 0;
  double sample = 0;
  double compute = 0;
  double sync = 0;
  double inside = 0;
  double outside = 0;
  double start = 0;
  double overlap = 0;
};

struct LawPoint {
  double log_time = 0;
  double log_compute = 0;
  LawInputs slope;  // of log_time; that of sync is the sum of those within and between nodes
};

enum class Reach { one_gpu, one_node, one_of_each, both };

// The links that gradients travel over.
struct Links {
  Reach reach = Reach::one_gpu;
  double log_ring = 0;  // what a ring of all GPUs sends between nodes, over what one of two sends
};

Links links_of(const jobs::Placement& placement);

LawPoint law(const LawInputs& in, double log_batch, const Links& links);

struct LawTerm {
  std::size_t coefficient;
  double value;
};

// What is known of a network and of its one-GPU steps on a cluster.
struct Traits {
  double sync = 0;
  double fixed = 0;
  double fixed_here = 0;
};

std::vector<LawTerm> terms_of(const jobs::Placement& placement, const Traits& traits);

double& part_of(LawInputs& inputs, Part part);

}  // namespace sextant::scaling
