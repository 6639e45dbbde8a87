// The catalogue that questions are asked of, and which field of a question an error points at.
#pragma once

#include <string>

#include "sextant/catalog/catalog.h"
#include "sextant/core/error.h"

namespace sextant::ask::test {

inline const catalog::Catalog& known() {
  static const catalog::Catalog builtin = catalog::builtin_catalog();
  return builtin;
}

// "no error" if there was none, and "no field" if it points elsewhere.
template <class Call>
std::string field_of(Call&& call) {
  try {
    call();
  } catch (const InputError& error) {
    return error.where().field ? error.where().file : "no field";
  }
  return "no error";
}

}  // namespace sextant::ask::test
