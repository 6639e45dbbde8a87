#include "terms.h"

#include <algorithm>
#include <cmath>

namespace sextant::learn {
namespace {

// Wild queries are held here, so that their products stay finite.
constexpr double kMost = 1e150;

double factor_value(const Factor& factor, double x) {
  if (factor.form == Form::identity) return x;
  if (factor.form == Form::log) return std::log(std::max(x, factor.floor));
  return 1 / (std::abs(x) < factor.floor ? std::copysign(factor.floor, x) : x);
}

// Two factors that never stand in one product.
bool clash(const Factor& a, const Factor& b, const std::vector<SampleColumn>& columns) {
  if (a.column == b.column) return true;
  const auto& category = columns[a.column].category;
  return category && category == columns[b.column].category;
}

bool constant(const stats::Matrix& x, std::size_t column) {
  for (std::size_t i = 1; i < x.rows(); ++i) {
    if (x(i, column) != x(0, column)) return false;
  }
  return true;
}

double smallest_magnitude(const stats::Matrix& x, std::size_t column) {
  double smallest = std::abs(x(0, column));
  for (std::size_t i = 1; i < x.rows(); ++i) smallest = std::min(smallest, std::abs(x(i, column)));
  return smallest;
}

void add_single_terms(const Sample& sample, bool inverses, Expansion& out) {
  for (std::size_t c = 0; c < sample.columns.size(); ++c) {
    if (constant(sample.x, c)) {
      out.dropped.push_back(sample.columns[c].name + ": constant");
      continue;
    }
    out.terms.push_back({{{c, Form::identity, 0}}});
  }
  if (!inverses) return;
  for (std::size_t c = 0; c < sample.columns.size(); ++c) {
    if (sample.columns[c].category || constant(sample.x, c)) continue;
    const double smallest = smallest_magnitude(sample.x, c);
    // Below 1e-100 a product of inverses could overflow.
    if (smallest < 1e-100) {
      out.dropped.push_back("1/" + sample.columns[c].name + ": the column has zeros");
    } else {
      out.terms.push_back({{{c, Form::inverse, smallest / 10}}});
    }
  }
}

// Products of `depth` singles from `first` on, appended to `out`; false past the limit.
struct Products {
  const std::vector<Factor>& singles;
  const std::vector<SampleColumn>& columns;
  std::size_t limit;
  std::vector<Term>& out;

  bool add(Term& prefix, std::size_t first, std::size_t depth) {
    if (depth == 0) {
      out.push_back(prefix);
      return out.size() <= limit;
    }
    for (std::size_t i = first; i < singles.size(); ++i) {
      const auto clashes = [&](const Factor& f) { return clash(f, singles[i], columns); };
      if (std::ranges::any_of(prefix.factors, clashes)) continue;
      prefix.factors.push_back(singles[i]);
      const bool more = add(prefix, i + 1, depth - 1);
      prefix.factors.pop_back();
      if (!more) return false;
    }
    return true;
  }
};

}  // namespace

double Term::value(std::span<const double> x) const {
  double product = 1;
  for (const auto& factor : factors) {
    product = std::clamp(product * factor_value(factor, x[factor.column]), -kMost, kMost);
  }
  return product;
}

std::string to_string(const Term& term, const std::vector<SampleColumn>& columns) {
  std::string text;
  for (const auto& factor : term.factors) {
    const std::string& name = columns[factor.column].name;
    text += text.empty() ? "" : " * ";
    if (factor.form == Form::identity) text += name;
    if (factor.form == Form::inverse) text += "1/" + name;
    if (factor.form == Form::log) text += "ln(" + name + ")";
  }
  return text;
}

Expansion expand(const Sample& sample, std::size_t degree, std::size_t limit) {
  Expansion out;
  add_single_terms(sample, degree >= 1, out);
  std::vector<Factor> singles;
  for (const auto& term : out.terms) singles.push_back(term.factors.front());
  for (std::size_t depth = 2; depth <= degree; ++depth) {
    const std::size_t before = out.terms.size();
    Term prefix;
    if (!Products{singles, sample.columns, limit, out.terms}.add(prefix, 0, depth)) {
      out.terms.resize(before);
      out.dropped.push_back("products of " + std::to_string(depth) + " columns: more than " +
                            std::to_string(limit) + " terms");
      break;
    }
  }
  return out;
}

stats::Matrix term_values(const std::vector<Term>& terms, const stats::Matrix& x) {
  stats::Matrix values(x.rows(), terms.size());
  for (std::size_t i = 0; i < x.rows(); ++i) {
    for (std::size_t j = 0; j < terms.size(); ++j) values(i, j) = terms[j].value(x.row(i));
  }
  return values;
}

}  // namespace sextant::learn
