#!/usr/bin/env bash
# How far are predictions of this machine off? Calibrates it (once: the folder keeps the result), trains networks
# that the calibration did not run, in turns, and prints errors; then those of the per-layer regression.
# Wants a machine that does nothing else.
#   scripts/local_accuracy.sh [FOLDER [THREADS [BUDGET_S]]]
set -euo pipefail
cd "$(dirname "$0")/.."
folder=${1:-build/local_accuracy}
cmake -S . -B build -G Ninja > /dev/null
cmake --build build --parallel --target sextant-worker sextant-local-accuracy > /dev/null
build/sextant-local-accuracy "$folder" "${2:-1}" "${3:-240}"
