#include "backend.h"

#include "highs_backend.h"
#include "sextant/core/on_demand.h"

namespace sextant::solve {

std::unique_ptr<Backend> make_backend(Sense sense, Solver solver) {
  if (solver == Solver::highs) return make_highs_backend(sense);
  static const OnDemandLibrary library = OnDemandLibrary::own("sextant-clp.so");
  static MakeBackend* const make = library.function<MakeBackend>(kBackendFunction);
  return std::unique_ptr<Backend>(make(sense));
}

}  // namespace sextant::solve
