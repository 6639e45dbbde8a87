// Terms of a linear model: products of columns, their inverses or logarithms. Augmentation appends 1/x
// and products, as end-to-end regression does (Gianniti, Zhang, Ardagna 2019): with 20 to 60 runs there
// are then more terms than rows, so selection or a penalty must follow.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sextant/learn/method.h"

namespace sextant::learn {

enum class Form { identity, inverse, log };

struct Factor {
  std::size_t column = 0;
  Form form = Form::identity;
  // Magnitude below which an inverse or a logarithm is held, so that a query of 0 stays finite: a tenth
  // of the smallest one in training.
  double floor = 0;
};

struct Term {
  std::vector<Factor> factors;

  [[nodiscard]] double value(std::span<const double> x) const;
};

struct Expansion {
  std::vector<Term> terms;
  std::vector<std::string> dropped;  // "1/delay: delay has zeros"
};

std::string to_string(const Term& term, const std::vector<SampleColumn>& columns);

// degree 0: the columns; 1: and 1/x of every numeric column without zeros; k >= 2: and products of up to
// k different ones, but no x * (1/x) and no two dummies of one text. Columns that are constant in the
// sample make no term. Past `limit` terms the degree is lowered, and the result says so.
Expansion expand(const Sample& sample, std::size_t degree, std::size_t limit);

stats::Matrix term_values(const std::vector<Term>& terms, const stats::Matrix& x);

}  // namespace sextant::learn
