// Evaluators that ask this program itself: `predict`, `simulate` and `measure` with factors among their
// arguments and metrics in their JSON.
#pragma once

#include "sextant/study/evaluator.h"

namespace sextant {

// `must_hold`: a member of the answer that is false where the configuration does not work ("fits"); may be
// "".
std::unique_ptr<Evaluator> make_own_evaluator(const EvaluatorSetup& setup, const std::string& command,
                                              const std::string& must_hold);

// Numbers of the answer by path; EvaluationInterrupted where it was interrupted.
struct OwnAnswer {
  std::map<std::string, double> numbers = {};
  std::string problem = {};  // why there are none
};
OwnAnswer ask_own_command(const OwnCommand& own, std::vector<std::string> words,
                          const std::string& must_hold);

// A number by its name, or of the name with ".median" behind it.
std::optional<double> number_named(const std::map<std::string, double>& numbers, const std::string& name);

}  // namespace sextant
