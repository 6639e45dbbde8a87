// A place for errors that have none: what is wrong with a file as a whole, or with fields together, stands on
// no line of its own.
#pragma once

#include "sextant/core/error.h"

namespace sextant {

// What `work` makes. An error without a position gets this one.
template <class Work>
auto with_place(const SourcePos& at, const Work& work) {
  try {
    return work();
  } catch (const InputError& error) {
    if (!error.where().str().empty()) throw;
    throw InputError(at, error.message(), error.hint());
  }
}

}  // namespace sextant
