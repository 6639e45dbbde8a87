// The cases of scripts/pytorch_reference.py on this side: the same graphs, the same formulas for weights,
// inputs and labels, and the numbers that PyTorch has computed for them.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "sextant/engine/executor.h"
#include "sextant/nets/builder.h"

namespace sextant {

struct ExpectedGradient {
  double sum = 0;
  double weighted = 0;  // by cos(0.3 i)
  double norm = 0;
};

struct ExpectedCase {
  std::string name;
  double loss = 0;
  std::vector<ExpectedGradient> gradients = {};  // first layer first
  std::vector<double> statistics = {};           // sum of means, sum of variances
  double rate = 0;                               // learning rate; a tenth of it for Adam
  std::map<std::string, double> after = {};      // loss after three steps of the optimizer
};

std::vector<ExpectedCase> read_expected(const std::string& file);

using CaseMaker = std::function<Tensor(GraphBuilder&)>;
const std::map<std::string, CaseMaker>& operator_cases();
Graph operator_graph(const std::string& name);  // its result times learned values
Graph network_graph(const std::string& name);   // without dropout

void set_weights(Replica& replica, const Graph& graph);
Batch batch_for(const Graph& graph);

}  // namespace sextant
