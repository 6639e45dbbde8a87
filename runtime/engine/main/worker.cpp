// sextant-worker FOLDER: one process of a trial. Started by `sextant measure`, not by people.
#include "sextant/engine/worker.h"

#include <signal.h>
#include <sys/prctl.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <optional>

#include "sextant/core/text.h"

namespace {

// Runners say who is who: our own local one, mpirun, Slurm.
std::optional<std::int64_t> own_rank() {
  for (const char* name : {"SEXTANT_RANK", "OMPI_COMM_WORLD_RANK", "SLURM_PROCID"}) {
    if (const char* value = std::getenv(name)) return sextant::to_integer(value);
  }
  return std::nullopt;
}

}  // namespace

int main(int argc, char** argv) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);  // nobody is left when the launcher dies
  const auto rank = own_rank();
  if (argc != 2 || !rank) {
    std::fputs("usage: SEXTANT_RANK=<rank> sextant-worker FOLDER\n  sextant measure starts it\n", stderr);
    return 2;
  }
  try {
    return sextant::engine::run_worker(sextant::measure::RunFolder(argv[1]), *rank);
  } catch (const std::exception& error) {  // not even the report could be written
    std::fprintf(stderr, "sextant-worker: %s\n", error.what());
    return 1;
  }
}
