#include "step_problem.h"

#include <cmath>

namespace sextant::llm {
namespace {

constexpr double kSpread = 0.08;   // of the logarithm of a step about the law
constexpr double kFullRows = 150;  // of one software; more rows weigh together as these do

class UnknownTable {
 public:
  explicit UnknownTable(std::vector<StepUnknown>& unknowns) : unknowns_(unknowns) {}

  std::size_t find_or_add(const StepEffect& effect) {
    const auto [found, added] = places_.try_emplace({at(effect.field), effect.key}, unknowns_.size());
    if (added) unknowns_.push_back({at(effect.field), effect.key, effect.mean, effect.deviation});
    return found->second;
  }

 private:
  std::vector<StepUnknown>& unknowns_;
  std::map<std::pair<std::size_t, std::string>, std::size_t> places_;
};

bool is_plain(std::size_t field) {
  return field == at(Field::nodes) || field == at(Field::factor);
}

}  // namespace

StepProblem make_problem(const std::vector<MeasuredStep>& steps) {
  StepProblem problem;
  const auto& priors = field_priors();
  for (std::size_t k = 0; k < kFields; ++k) {
    const double mean = is_plain(k) ? priors[k].mean : std::log(priors[k].mean);
    problem.unknowns.push_back({k, "", mean, priors[k].deviation});
  }
  problem.unknowns.push_back({at(Field::matmul), "power", kPowerMean, kPowerDeviation});
  UnknownTable table(problem.unknowns);
  std::map<std::string, double> rows_of;
  for (const auto& step : steps) rows_of[step.at.stack.name] += 1;
  for (const auto& step : steps) {
    StepRow row;
    row.demand = demand_of(step.at);
    row.log_seconds = std::log(step.step.value);
    row.weight = std::min(1.0, std::sqrt(kFullRows / rows_of[step.at.stack.name])) / kSpread;
    for (std::size_t k = 0; k < kFields; ++k) row.terms.push_back({k, k, 1});
    row.terms.push_back({at(Field::matmul), kFields, row.demand.power});
    for (const auto& effect : effects_of(step.at))
      row.terms.push_back({at(effect.field), table.find_or_add(effect), 1});
    row.stack = step.at.stack.name;
    row.gpu = step.at.gpu.id;
    row.pair = pair_key(step.at);
    row.model_group = step.source + "/" + step.at.model.name;
    row.count_group = step.source + "/" + std::to_string(step.at.gpus);
    problem.rows.push_back(std::move(row));
  }
  return problem;
}

StepValues row_values(const StepRow& row, std::span<const double> unknowns) {
  StepValues values{};
  for (const auto& term : row.terms) values[term.field] += term.times * unknowns[term.unknown];
  return values;
}

std::vector<double> start_of(const StepProblem& problem) {
  std::vector<double> start;
  for (const auto& unknown : problem.unknowns) start.push_back(unknown.mean);
  return start;
}

StepModel model_of(const StepProblem& problem, const std::vector<std::size_t>& kept,
                   const std::vector<double>& unknowns) {
  StepModel model;
  model.shared.assign(unknowns.begin(), unknowns.begin() + static_cast<std::ptrdiff_t>(kFields));
  model.power_slope = unknowns[kFields];
  std::vector<bool> used(unknowns.size(), false);
  for (const std::size_t i : kept) {
    for (const auto& term : problem.rows[i].terms) used[term.unknown] = true;
    model.gpus[problem.rows[i].gpu] += 1;
    model.pairs[problem.rows[i].pair] += 1;
  }
  for (std::size_t j = kFields + 1; j < unknowns.size(); ++j) {
    const StepUnknown& unknown = problem.unknowns[j];
    if (used[j]) model.departures[{field_priors()[unknown.field].name, unknown.key}] = unknowns[j];
  }
  model.widths = widths_of(problem, kept, unknowns);
  model.rows = static_cast<int>(kept.size());
  for (const std::size_t i : kept) {
    const StepRow& row = problem.rows[i];
    const double seconds = step_seconds(row.demand, row_values(row, unknowns));
    model.mean_error += std::abs(seconds / std::exp(row.log_seconds) - 1) / static_cast<double>(kept.size());
  }
  return model;
}

StepModel fit_steps(const std::vector<MeasuredStep>& rows) {
  if (rows.empty()) throw InputError("there are no measured steps to fit the law to");
  const StepProblem problem = make_problem(rows);
  std::vector<std::size_t> all(rows.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
  return model_of(problem, all, solve_steps(problem, all, start_of(problem)));
}

}  // namespace sextant::llm
