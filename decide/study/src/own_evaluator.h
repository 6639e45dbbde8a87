// Evaluators that ask this program itself: `predict`, `simulate` and `measure` with factors among their
// arguments and metrics in their answers. Within this process an answer is a value, from a process of its own
// it comes as JSON.
#pragma once

#include "sextant/study/evaluator.h"

namespace sextant::study {

// How a command of this program is asked. As a process of its own it can be stopped at any time, and a crash
// takes nobody with it.
struct OwnUse {
  std::string command;
  std::string must_hold = {};  // member of the answer that is false where a configuration does not work
  bool within = false;         // a call within this process, unless the study has a timeout
  bool quick = false;          // within this process, the seconds that it takes are not worth a metric
  bool alone = false;          // wants the machine for itself, and has much to end when it is interrupted
};
std::unique_ptr<Evaluator> make_own_evaluator(const EvaluatorSetup& setup, const OwnUse& use);

// Numbers of the only row of an answer, by path.
struct OwnNumbers {
  std::map<std::string, double> values = {};
  std::string problem = {};  // why there are none
};
// Of an answer from within this process. EvaluationInterrupted where the command was interrupted.
OwnNumbers numbers_of(const OwnAnswer& answer, const std::string& must_hold);

// Nothing where there is no number of that name.
std::optional<double> number_named(const std::map<std::string, double>& numbers, const std::string& name);

}  // namespace sextant::study
