#include "sextant/solve/linear_program.h"

namespace sextant {

std::string solver_name() {
  return "clp";
}

}  // namespace sextant
