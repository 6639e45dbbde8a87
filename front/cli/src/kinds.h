// The kinds of things that `list` and `describe` know. Singular and plural are both accepted.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "sextant/catalog/catalog.h"
#include "sextant/core/error.h"
#include "sextant/report/result.h"

namespace sextant::cli {

struct Kind {
  std::string singular;
  std::string plural;
  std::string summary;
  std::function<report::Table(const catalog::Catalog&)> list;
  std::function<report::Result(const catalog::Catalog&, const std::string& name)> describe;
};

const std::vector<Kind>& kinds();
const Kind& find_kind(const std::string& word);
std::vector<std::string> kind_names();  // plurals

// Names for completion, from the built-in catalogue.
std::vector<std::string> gpu_names();
std::vector<std::string> machine_names();
std::vector<std::string> network_names();
std::vector<std::string> predictor_names();
std::vector<std::string> link_names();
std::vector<std::string> system_names();
std::vector<std::string> strategy_names();  // and "auto"
std::vector<std::string> sampler_names();
std::vector<std::string> federated_strategy_names();
std::vector<std::string> rule_names();
std::vector<std::string> attack_names();             // and "none"
std::vector<std::string> training_strategy_names();  // and "auto"
std::vector<std::string> transport_names();
std::vector<std::string> runner_names();  // and "auto"
std::vector<std::string> design_names();
std::vector<std::string> search_strategy_names();
std::vector<std::string> policy_names();
std::vector<std::string> planning_method_names();
std::vector<std::string> placement_names();
std::vector<std::string> fault_names();
std::vector<std::string> trace_format_names();

}  // namespace sextant::cli
