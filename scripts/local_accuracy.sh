#!/usr/bin/env bash
# How far are predictions of this machine off? Calibrates it, trains networks that the calibration did not run, in
# turns, and prints their errors; then those of per-layer regressions fitted on AlexNet and on GoogLeNet, both asked
# about AlexNet. Wants a machine that does nothing else, for a quarter of an hour.
#   scripts/local_accuracy.sh [THREADS [BUDGET]]
set -euo pipefail
cd "$(dirname "$0")/.."
threads=${1:-1}
SEXTANT_HOME=$(mktemp -d)
export SEXTANT_HOME
trap 'rm -rf "$SEXTANT_HOME"' EXIT
uptime
build/sextant calibrate --threads "$threads" --budget "${2:-4min}"
build/sextant calibrate --check --budget 15min
build/sextant calibrate --per-layer --threads "$threads"
uptime
