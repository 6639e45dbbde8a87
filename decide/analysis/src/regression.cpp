#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>

#include "sextant/analysis/factor_regression.h"
#include "sextant/core/text.h"
#include "sextant/stats/linear_model.h"
#include "sextant/stats/multiple.h"

namespace sextant::analysis {
namespace {

constexpr double kNoPower = 1e-5;  // of a factor in a product
constexpr double kExact = 1e-10;   // 1 - R^2 of a relation that holds

FactorRegression line_of(const AnalysisTable& table, const AnalysisFactor& factor, double level) {
  stats::Design design{.x = stats::Matrix(table.rows(), 1), .y = table.y};
  for (std::size_t i = 0; i < table.rows(); ++i) design.x(i, 0) = factor.number[i];
  const stats::OlsFit fit = fit_ols(design);
  FactorRegression line{.factor = factor.name, .n = table.rows(), .intercept = fit.intercept, .df = fit.df};
  if (fit.terms.size() < 2) return line;
  line.slope = fit.terms[1].coefficient;
  line.standard_error = fit.terms[1].standard_error;
  line.t = fit.terms[1].t;
  line.p = fit.terms[1].p;
  line.r2 = fit.r2;
  const double infinite = std::numeric_limits<double>::infinity();
  line.interval = fit.df > 0 ? coefficient_interval(fit, 1, level) : stats::Interval{-infinite, infinite};
  return line;
}

std::vector<std::size_t> numeric_factors(const AnalysisTable& table) {
  std::vector<std::size_t> numeric;
  for (std::size_t f = 0; f < table.factors.size(); ++f) {
    if (table.factors[f].numeric && table.group != f) numeric.push_back(f);
  }
  return numeric;
}

stats::OlsFit on_others(const AnalysisTable& table, std::size_t target, std::span<const std::size_t> others,
                        bool logs) {
  const auto value = [&](std::size_t f, std::size_t i) {
    const double number = table.factors[f].number[i];
    return logs ? std::log(number) : number;
  };
  stats::Design design{.x = stats::Matrix(table.rows(), others.size()),
                       .y = std::vector<double>(table.rows())};
  for (std::size_t i = 0; i < table.rows(); ++i) {
    design.y[i] = value(target, i);
    for (std::size_t j = 0; j < others.size(); ++j) design.x(i, j) = value(others[j], i);
  }
  return fit_ols(design);
}

bool all_positive(const AnalysisFactor& factor) {
  return std::ranges::all_of(factor.number, [](double x) { return x > 0; });
}

std::string short_number(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.4g", value);
  return text.data();
}

// "b = 2 a + 1"
std::string sum_text(const AnalysisTable& table, std::size_t target, std::span<const std::size_t> others,
                     const stats::OlsFit& fit) {
  std::string text;
  for (std::size_t j = 0; j < others.size(); ++j) {
    const double c = fit.coefficients[j];
    if (std::abs(c) < 1e-8) continue;
    text += text.empty() ? (c < 0 ? "-" : "") : (c < 0 ? " - " : " + ");
    if (std::abs(std::abs(c) - 1) > 1e-8) text += short_number(std::abs(c)) + " ";
    text += table.factors[others[j]].name;
  }
  const bool offset = std::abs(fit.intercept) > 1e-8 * (1 + std::abs(table.factors[target].number.front()));
  if (offset) text += (fit.intercept < 0 ? " - " : " + ") + short_number(std::abs(fit.intercept));
  return table.factors[target].name + " = " + text;
}

// "data = batch x batches", "time = 3 / rate"
std::string product_text(const AnalysisTable& table, std::size_t target, std::span<const std::size_t> others,
                         const stats::OlsFit& fit) {
  std::string text;
  const double factor = std::exp(fit.intercept);
  if (std::abs(factor - 1) > 1e-6) text = short_number(factor);
  for (std::size_t j = 0; j < others.size(); ++j) {
    const double power = fit.coefficients[j];
    if (std::abs(power) < kNoPower) continue;
    if (!text.empty()) text += " x ";
    text += table.factors[others[j]].name;
    if (std::abs(power - 1) > kNoPower) text += "^" + short_number(power);
  }
  return table.factors[target].name + " = " + text;
}

// Others that vary in logarithms too: those that are positive.
std::string product_relation(const AnalysisTable& table, std::size_t target,
                             std::span<const std::size_t> others) {
  std::vector<std::size_t> positive;
  std::ranges::copy_if(others, std::back_inserter(positive),
                       [&](std::size_t f) { return all_positive(table.factors[f]); });
  if (positive.empty() || !all_positive(table.factors[target])) return "";
  const stats::OlsFit fit = on_others(table, target, positive, true);
  return fit.df > 0 && 1 - fit.r2 < kExact ? product_text(table, target, positive, fit) : "";
}

}  // namespace

std::vector<FactorRegression> factor_regressions(const AnalysisTable& table, double level) {
  std::vector<FactorRegression> lines;
  std::vector<double> ps;
  for (const std::size_t f : numeric_factors(table)) {
    lines.push_back(line_of(table, table.factors[f], level));
    ps.push_back(lines.back().p);
  }
  const std::vector<double> adjusted = stats::holm_adjusted(ps);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    lines[i].p_holm = adjusted[i];
    lines[i].evidence = adjusted[i] < 1 - level;
  }
  return lines;
}

std::vector<Collinearity> collinearity(const AnalysisTable& table) {
  const std::vector<std::size_t> numeric = numeric_factors(table);
  if (numeric.size() < 2 || table.rows() < numeric.size() + 2) return {};
  std::vector<Collinearity> out;
  for (const std::size_t target : numeric) {
    std::vector<std::size_t> others;
    std::ranges::copy_if(numeric, std::back_inserter(others), [&](std::size_t f) { return f != target; });
    const stats::OlsFit fit = on_others(table, target, others, false);
    Collinearity entry{.factor = table.factors[target].name};
    const double rest = 1 - fit.r2;
    entry.vif = rest < kExact ? std::numeric_limits<double>::infinity() : 1 / rest;
    entry.relation =
        rest < kExact ? sum_text(table, target, others, fit) : product_relation(table, target, others);
    out.push_back(std::move(entry));
  }
  return out;
}

}  // namespace sextant::analysis
