// The message of the InputError that an action throws, for tests that compare it whole.
#pragma once

#include <string>

#include "sextant/core/error.h"

namespace sextant::test {

template <class Action>
std::string error_of(Action action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace sextant::test
