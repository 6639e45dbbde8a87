// The cases of scripts/pytorch_reference.py on this side: the same graphs, the same formulas for weights,
// inputs and labels, and the numbers that PyTorch has computed for them.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "sextant/engine/executor.h"
#include "sextant/nets/builder.h"

namespace sextant::engine {

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

using CaseMaker = std::function<nets::Tensor(nets::GraphBuilder&)>;
const std::map<std::string, CaseMaker>& operator_cases();
nets::Graph operator_graph(const std::string& name);  // its result times learned values
nets::Graph network_graph(const std::string& name);   // without dropout

void set_weights(measure::Replica& replica, const nets::Graph& graph);
input::Batch batch_for(const nets::Graph& graph);

}  // namespace sextant::engine
