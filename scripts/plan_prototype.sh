#!/usr/bin/env bash
# What does a plan say that a stream of jobs will cost, and what is paid for it? Starts a Slurm of two nodes on this
# machine, times six kinds of short trainings (`sextant measure`) once, predicts the cost of a stream of them with due dates
# (`sextant plan simulate`), has `sextant plan daemon --apply slurm:cpus` run it, and compares, slot by slot and in all.
# Prices are made up. Wants root, slurm-wlm, munge, curl, and a machine with two cores that does nothing else, for about
# five minutes.
#   scripts/plan_prototype.sh [METHOD [JOBS [SEED]]]
set -euo pipefail
cd "$(dirname "$0")/.."
cmake -S . -B build -G Ninja --log-level=NOTICE -DSEXTANT_TESTS=ON
cmake --build build --target sextant sextant-worker plan_prototype
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export SEXTANT_HOME=$scratch/home
mkdir -p "$SEXTANT_HOME"
uptime
build/tests/plan_prototype build/sextant "$scratch/prototype" "${@:-sextant}"
uptime
