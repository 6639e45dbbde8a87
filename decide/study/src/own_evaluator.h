// Evaluators that ask this program itself: `predict`, `simulate` and `measure` with factors among their
// arguments and metrics in their JSON.
#pragma once

#include "sextant/study/evaluator.h"

namespace sextant::study {

// How a command of this program is asked. As a process of its own it can be stopped, and a crash takes nobody
// with it.
struct OwnUse {
  std::string command;
  std::string must_hold = {};  // member of the answer that is false where a configuration does not work
  bool quick = false;          // asked within this process, unless the study has a timeout
  bool alone = false;          // wants the machine for itself, and has much to end when it is interrupted
};
std::unique_ptr<Evaluator> make_own_evaluator(const EvaluatorSetup& setup, const OwnUse& use);

// Numbers of the answer by path.
struct OwnAnswer {
  std::map<std::string, double> numbers = {};
  std::string problem = {};  // why there are none
};
// Within this process. EvaluationInterrupted where it was interrupted.
OwnAnswer ask_own_command(const OwnCommand& own, std::vector<std::string> words,
                          const std::string& must_hold);

// A number by its name, or of the name with ".median" behind it.
std::optional<double> number_named(const std::map<std::string, double>& numbers, const std::string& name);

}  // namespace sextant::study
