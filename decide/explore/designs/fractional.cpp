// A fraction 2^(k-p) of the combinations of two levels: main effects, and interactions as far as the
// resolution goes, with a table of what cannot be told apart.
#include <bit>
#include <cmath>

#include "minimum_aberration.h"
#include "sextant/core/text.h"
#include "sextant/explore/design.h"
#include "two_level.h"

namespace sextant::explore::design_fractional {
namespace {

constexpr std::size_t kMostBasic = 16;  // 65,536 runs

// Number of basic factors of the smallest fraction that has the resolution.
std::size_t basic_for_resolution(std::size_t factors, int resolution) {
  auto basic = static_cast<std::size_t>(std::bit_width(factors));  // 2^basic > factors
  for (; basic < factors; ++basic) {
    if (basic > kMostBasic) {
      throw InputError({}, "resolution " + std::to_string(resolution) + " takes more than 65536 runs for " +
                               std::to_string(factors) + " factors");
    }
    if (fraction_resolution(minimum_aberration(factors, basic), basic) >= resolution) break;
  }
  return std::min(basic, factors);
}

std::size_t basic_for_runs(std::size_t factors, std::size_t runs) {
  if (!std::has_single_bit(runs)) {
    throw InputError(
        {}, "a fraction of two-level factors has 2, 4, 8, 16, … runs, not " + std::to_string(runs),
        "take " + std::to_string(std::bit_floor(runs)) + " or " + std::to_string(std::bit_ceil(runs)) +
            ", or the design plackett-burman or d-optimal");
  }
  const auto basic = static_cast<std::size_t>(std::countr_zero(runs));
  if (runs <= factors) {
    throw InputError({},
                     std::to_string(runs) + " runs are too few for " + std::to_string(factors) + " factors",
                     "at least " + std::to_string(std::bit_ceil(factors + 1)));
  }
  return std::min(basic, factors);
}

struct Generators {
  std::size_t basic = 0;
  std::vector<EffectWord> columns;
};

// "D=ABC,E=ABD": the factors on the left are the last ones, in order, the right sides are of the others.
Generators parse_generators(const std::string& text, std::size_t factors) {
  const SourcePos at{"generators"};
  const std::vector<std::string> parts = split(text, ',');
  if (parts.size() >= factors) throw InputError(at, "there are more generators than factors to make them of");
  Generators result{.basic = factors - parts.size(), .columns = {}};
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::size_t equals = parts[i].find('=');
    const std::string left(trim(parts[i].substr(0, equals)));
    const std::string expected = word_text(EffectWord{1} << (result.basic + i));
    if (equals == std::string::npos || left != expected) {
      throw InputError(at, "generator " + std::to_string(i + 1) + " is '" + parts[i] + "'",
                       "write '" + expected + "=…': " + std::to_string(parts.size()) +
                           " generators make the last " + std::to_string(parts.size()) + " factors");
    }
    const EffectWord column = parse_word(std::string(trim(parts[i].substr(equals + 1))), result.basic, at);
    for (const EffectWord other : result.columns) {
      if (other == column) throw InputError(at, "two factors have the generator " + word_text(column));
    }
    if (std::has_single_bit(column)) {
      throw InputError(at, "factor " + left + " would never differ from " + word_text(column));
    }
    result.columns.push_back(column);
  }
  return result;
}

Generators generators_of(const DesignRequest& request, const Parameters& parameters, std::size_t factors) {
  const std::string& given = parameters.text("generators");
  if (!given.empty()) return parse_generators(given, factors);
  const std::int64_t asked = parameters.count("runs");
  const auto runs = asked > 0 ? static_cast<std::size_t>(asked) : request.runs;
  const std::size_t basic =
      runs > 0 ? basic_for_runs(factors, runs)
               : basic_for_resolution(factors, static_cast<int>(parameters.count("resolution")));
  return {.basic = basic, .columns = minimum_aberration(factors, basic)};
}

PlannedDesign make(const DesignRequest& request, const Parameters& parameters) {
  const std::size_t factors = varying_factors(request.space).size();
  if (factors > kMostLetters) {
    throw InputError({},
                     "a fractional design is made here for up to " + std::to_string(kMostLetters) +
                         " factors, not " + std::to_string(factors),
                     "take plackett-burman");
  }
  const Generators chosen = generators_of(request, parameters, factors);
  return two_level_design(request, {.signs = yates_signs(chosen.basic, chosen.columns),
                                    .basic = chosen.basic,
                                    .columns = chosen.columns,
                                    .regular = true});
}

}  // namespace

std::vector<DesignInfo> plugin() {
  return {
      {{.id = "fractional",
        .summary = "a fraction 2^(k-p) of the two-level combinations, which mixes up main effects and "
                   "interactions as little as possible",
        .reference = "Fries and Hunter, Minimum aberration 2^(k-p) designs, Technometrics 22, 1980",
        .parameters = {count_parameter("runs", "a power of 2; 0: what the resolution needs", {0, 0, 65536}),
                       count_parameter("resolution",
                                       "at least; 4 keeps main effects clear of interactions of two factors",
                                       {4, 3, 16}),
                       text_parameter("generators",
                                      "of the last factors, D=ABC,E=ABD, instead of the best ones")}},
       {"fractional-factorial"},
       make}};
}

}  // namespace sextant::explore::design_fractional
