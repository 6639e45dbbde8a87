// Main effects of up to N - 1 factors in N runs, N a multiple of 4: which of many factors matter at all.
#include "hadamard.h"
#include "partial_aliases.h"
#include "sextant/explore/design.h"
#include "two_level.h"

namespace sextant::explore::design_plackett_burman {
namespace {

constexpr std::size_t kMostRuns = 1000;

// The first order of at least `runs` for which signs are known.
std::vector<std::vector<int>> signs_for(std::size_t factors, std::size_t runs) {
  if (runs != 0) {
    std::vector<std::vector<int>> signs = screening_signs(runs);
    if (signs.empty()) {
      throw InputError({}, "there is no Plackett-Burman design of " + std::to_string(runs) + " runs here",
                       "a multiple of 4: 12, 20, 24, 28, …");
    }
    if (factors >= runs) {
      throw InputError({},
                       std::to_string(runs) + " runs are too few for " + std::to_string(factors) + " factors",
                       "one more than factors, at least");
    }
    return signs;
  }
  for (std::size_t n = 4; n <= kMostRuns; n += 4) {
    if (n <= factors) continue;
    std::vector<std::vector<int>> signs = screening_signs(n);
    if (!signs.empty()) return signs;
  }
  throw InputError("there are too many factors: " + std::to_string(factors));
}

void add_aliases(PlannedDesign& planned, const std::vector<std::vector<int>>& signs) {
  if (signs.front().size() > kMostLetters) {
    planned.notes.emplace_back("aliases are listed for up to 25 factors");
    return;
  }
  planned.aliases = partial_aliases(signs);
  if (planned.runs.size() < signs.size()) {
    planned.notes.emplace_back(
        "aliases are those of the whole design, without the missing runs there are more");
  }
}

PlannedDesign make(const DesignRequest& request, const Parameters& parameters) {
  const std::size_t factors = varying_factors(request.space).size();
  const bool foldover = parameters.flag("foldover");
  const std::int64_t asked = parameters.count("runs");
  std::size_t runs = asked > 0 ? static_cast<std::size_t>(asked) : request.runs;
  if (foldover && runs % 8 != 0) {
    throw InputError(
        {}, "a design that is folded over has twice a multiple of 4 runs, not " + std::to_string(runs));
  }
  if (foldover) runs /= 2;
  SignDesign design{.signs = signs_for(factors, runs)};
  for (std::vector<int>& row : design.signs) row.resize(factors);
  if (foldover) {
    const std::vector<std::vector<int>> once = design.signs;
    for (std::vector<int> row : once) {
      for (int& sign : row) sign = -sign;
      design.signs.push_back(std::move(row));
    }
  }
  PlannedDesign planned = two_level_design(request, design);
  planned.resolution = foldover ? 4 : 3;
  add_aliases(planned, design.signs);
  planned.notes.emplace_back(
      foldover ? "main effects are clear of interactions of two factors"
               : "each main effect is mixed with parts of interactions of two other factors: "
                 "foldover=1 frees it, with twice the runs");
  return planned;
}

}  // namespace

std::vector<DesignInfo> plugin() {
  return {{{.id = "plackett-burman",
            .summary = "main effects of many two-level factors in few runs",
            .reference =
                "Plackett and Burman, The design of optimum multifactorial experiments, Biometrika 33, 1946",
            .parameters = {count_parameter("runs", "a multiple of 4; 0: the fewest",
                                           {0, 0, static_cast<double>(kMostRuns)}),
                           flag_parameter("foldover", "1: every run again with all levels swapped", false)}},
           {},
           make}};
}

}  // namespace sextant::explore::design_plackett_burman
