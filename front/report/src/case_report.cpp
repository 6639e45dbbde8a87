#include "sextant/report/case_report.h"

#include <algorithm>

namespace sextant::report {
namespace {

using predict::CaseAnswer;
using enum Importance;

Fields<CaseAnswer> step_answer_fields() {
  using A = const CaseAnswer&;
  return {
      {"predicted_s", "step", [](A a) { return Cell(a.predicted); }, essential},
      {"low_s", "90 % low", [](A a) { return Cell(a.interval.low); }, essential},
      {"high_s", "90 % high", [](A a) { return Cell(a.interval.high); }, essential},
      {"compute_s", "compute", [](A a) { return Cell(a.breakdown.compute); }},
      {"communication_s", "communication", [](A a) { return Cell(a.breakdown.communication); }},
      {"overhead_s", "overhead", [](A a) { return Cell(a.breakdown.overhead + a.breakdown.input); }},
      {"memory_bytes", "memory", [](A a) { return Cell(a.memory); }},
      {"fits", "fits", [](A a) { return a.memory ? Cell(a.fits) : Cell(); }, essential},
      {"extrapolating", "extrapolating", [](A a) { return Cell(a.extrapolating); }},
      {"chosen_strategy", "chosen strategy",
       [](A a) { return a.strategy.empty() ? Cell() : Cell(a.strategy); }},
  };
}

Fields<CaseAnswer> token_fields() {
  using A = const CaseAnswer&;
  using Parts = predict::MemoryParts;
  const auto part = [](Bytes Parts::*member) {
    return [member](A a) { return a.memory_parts ? Cell((*a.memory_parts).*member) : Cell(); };
  };
  return {{"memory_verdict", "verdict", [](A a) { return a.verdict.empty() ? Cell() : Cell(a.verdict); }},
          {"state_bytes", "state", part(&Parts::state)},
          {"activations_bytes", "activations", part(&Parts::activations)},
          {"allocated_bytes", "allocated", part(&Parts::allocated)},
          {"tokens_per_s_per_gpu", "tokens/s/GPU",
           [](A a) { return a.tokens ? Cell(a.tokens->per_second_per_gpu) : Cell(); }},
          {"mfu", "MFU", [](A a) { return a.tokens ? Cell(a.tokens->mfu) : Cell(); }}};
}

Fields<CaseAnswer> case_fields(bool tokens) {
  const auto answered = [](const CaseAnswer& a) { return a.error.empty() ? &a : nullptr; };
  const Field<CaseAnswer> error = {
      "error", "error", [](const CaseAnswer& a) { return a.error.empty() ? Cell() : Cell(a.error); },
      essential};
  const Fields<CaseAnswer> step =
      tokens ? joined({step_answer_fields(), token_fields()}) : step_answer_fields();
  return joined({of_part<CaseAnswer, CaseAnswer>(step, answered), Fields<CaseAnswer>{error}});
}

}  // namespace

AnsweredCases case_answers(const CsvTable& table, const predict::CaseAnswers& answers) {
  const bool tokens =
      std::ranges::any_of(answers.distinct, [](const CaseAnswer& a) { return a.tokens.has_value(); });
  AnsweredCases all = answered<CaseAnswer>(table, case_fields(tokens), answers.distinct,
                                           [&answers](std::size_t row) { return answers.of_row[row]; });
  all.schema = "sextant.cases/1";
  return all;
}

}  // namespace sextant::report
