// engine_bench training [NET] | clients | gloo | mpi: what measuring costs. Programs of their own, as they
// need libtorch, a second process or mpirun; scripts/engine_bench.sh runs all of them.
#include <cstdio>
#include <exception>
#include <string_view>

#include "comparisons.h"

int main(int argc, char** argv) {
  using namespace sextant::bench;
  const std::string_view what = argc >= 2 ? argv[1] : "";
  try {
    if (what == "training") return compare_training(argc >= 3 ? argv[2] : ""), 0;
    if (what == "clients") return compare_clients(), 0;
    if (what == "gloo") return compare_gloo(), 0;
    if (what == "mpi") return compare_mpi(), 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "engine_bench: %s\n", error.what());
    return 1;
  }
  std::fputs("usage: engine_bench training [lenet5 | resnet18] | clients | gloo | mpi (under mpirun -n 2)\n",
             stderr);
  return 2;
}
