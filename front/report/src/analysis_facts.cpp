#include "analysis_facts.h"

#include <nlohmann/json.hpp>

#include "analysis_cells.h"
#include "analysis_verdict.h"

namespace sextant::report {
namespace {

using analysis::Analysis;
using enum Importance;
using analysis_cells::count;

// As a function of the part, nothing where the analysis has none.
template <class Part, class Read>
std::function<Cell(const Analysis&)> of_optional(std::optional<Part> Analysis::*part, Read read) {
  return [part, read](const Analysis& a) { return a.*part ? Cell(read(*(a.*part))) : Cell(); };
}

Fields<Analysis> model_facts() {
  using A = const Analysis&;
  return {
      {"response", "response", [](A a) { return Cell(a.table.response); }},
      {"level", "level", [](A a) { return Cell(a.level); }},
      {"rows", "runs", [](A a) { return count(a.table.rows()); }},
      {"censored", "not completed", [](A a) { return count(a.censored); }},
      {"verdict", "", [](A a) { return Cell(analysis_verdict(a)); }, detail},
      {"model.log", "", [](A a) { return Cell(a.log); }, detail},
      {"model.log_chosen", "", [](A a) { return Cell(a.chose_log); }, detail},
      {"model.sums_of_squares", "",
       [](A a) { return Cell(a.anova.type == analysis::SumsOfSquares::type_two ? "II" : "III"); }, detail},
      {"model.order", "", [](A a) { return Cell(std::int64_t{a.anova.order}); }, detail},
      {"model.balanced", "", [](A a) { return Cell(a.anova.balanced); }, detail},
      {"model.r2", "", [](A a) { return Cell(a.anova.r2); }, detail},
      {"model.adjusted_r2", "", [](A a) { return Cell(a.anova.adjusted_r2); }, detail},
      {"model.total_ss", "", [](A a) { return Cell(a.anova.total_ss); }, detail},
      {"model.notes", "", [](A a) { return Cell::nested(a.anova.notes); }, detail},
      {"notes", "", [](A a) { return Cell::nested(a.notes); }, detail},
      {"pair_notes", "", [](A a) { return Cell::nested(a.pairs.notes); }, detail},
  };
}

template <class Read>
std::function<Cell(const Analysis&)> of_normality(Read read) {
  return [read](const Analysis& a) { return a.checks.normality ? Cell(read(*a.checks.normality)) : Cell(); };
}

Fields<Analysis> check_facts() {
  using A = const Analysis&;
  using N = const stats::NormalityTest&;
  return {
      {"checks.normal", "", [](A a) { return Cell(a.checks.normal); }, detail},
      {"checks.equal_variances", "", [](A a) { return Cell(a.checks.equal_variances); }, detail},
      {"checks.log_helps", "", [](A a) { return Cell(a.checks.log_helps); }, detail},
      {"checks.normality.test", "", of_normality([](N n) { return n.name; }), detail},
      {"checks.normality.statistic", "", of_normality([](N n) { return n.statistic; }), detail},
      {"checks.normality.p", "", of_normality([](N n) { return n.p; }), detail},
      {"checks.findings", "", [](A a) { return Cell::nested(a.checks.findings); }, detail},
  };
}

// What the sections "importance" and "repetitions" start from.
Fields<Analysis> part_facts() {
  using I = const analysis::Importance&;
  using R = const analysis::Repetitions&;
  const auto importance = [](auto read) { return of_optional(&Analysis::importance, read); };
  const auto scatter = [](auto read) { return of_optional(&Analysis::repetitions, read); };
  return {
      {"explained.share", "", importance([](I i) { return i.explained; }), detail},
      {"explained.adjusted", "", importance([](I i) { return i.adjusted; }), detail},
      {"scatter.sd", "", scatter([](R r) { return r.sd; }), detail},
      {"scatter.df", "", scatter([](R r) { return r.df; }), detail},
      {"scatter.from", "", scatter([](R r) { return r.pure ? "repeated runs" : "model"; }), detail},
      {"scatter.power", "", scatter([](R r) { return r.power; }), detail},
  };
}

Table factors_table(const Analysis& a) {
  using analysis::AnalysisFactor;
  using F = const AnalysisFactor&;
  const Fields<AnalysisFactor> fields = {
      {"name", "factor", [](F f) { return Cell(f.name); }, identity},
      {"kind", "kind", [](F f) { return Cell(f.covariate ? "covariate" : "levels"); }},
      {"levels", "levels", [](F f) { return count(f.levels.size()); }},
  };
  return table_of(fields, a.table.factors);
}

Table variances_table(const Analysis& a) {
  using analysis::VarianceCheck;
  using V = const VarianceCheck&;
  const Fields<VarianceCheck> fields = {
      {"factor", "factor", [](V v) { return Cell(v.factor); }, identity},
      {"test", "test", [](V) { return Cell("Brown-Forsythe"); }},
      {"f", "F", [](V v) { return Cell(v.test.f); }},
      {"df1", "df", [](V v) { return Cell(v.test.df1); }},
      {"df2", "df", [](V v) { return Cell(v.test.df2); }},
      {"p", "p", [](V v) { return Cell(v.test.p); }},
      {"p_holm", "p (Holm)", [](V v) { return Cell(v.p_holm); }, essential},
  };
  return table_of(fields, a.checks.variances);
}

Table alias_list(const Analysis& a) {
  using analysis::EffectAlias;
  using E = const EffectAlias&;
  const Fields<EffectAlias> fields = {
      {"factor", "factor", [](E e) { return Cell(e.factor); }, identity},
      {"interactions", "interactions", [](E e) { return Cell::nested(e.interactions); }},
  };
  return table_of(fields, a.aliases);
}

}  // namespace

Table analysis_facts(const Analysis& analysis) {
  return facts_of(joined({model_facts(), check_facts(), part_facts()}), analysis);
}

std::vector<Section> background_sections(const Analysis& analysis) {
  return {{.key = "factors", .table = factors_table(analysis), .shown = false},
          {.key = "variances", .table = variances_table(analysis), .shown = false},
          {.key = "aliases", .table = alias_list(analysis), .shown = false}};
}

}  // namespace sextant::report
