#!/usr/bin/env bash
# What measuring costs: the trainer's loop against bare libtorch, transports against Gloo and MPI called directly,
# all-reduce against PyTorch's DistributedDataParallel. On an idle machine. Usage: engine_bench.sh [BUILD_FOLDER]
set -euo pipefail
cd "$(dirname "$0")/.."
build=${1:-build}
cmake --build "$build" --parallel "${JOBS:-$(nproc)}" --target engine_bench sextant-worker
export OMP_NUM_THREADS=1
"$build/bench/engine_bench" training
"$build/bench/engine_bench" clients
"$build/bench/engine_bench" gloo
mpirun --allow-run-as-root --oversubscribe -n 2 "$build/bench/engine_bench" mpi
scripts/ddp_compare.sh "$build/sextant-worker"
