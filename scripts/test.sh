#!/usr/bin/env bash
# All checks, cheapest first, so that a fault shows early; closes with the seconds of each stage.
set -euo pipefail
cd "$(dirname "$0")/.."
jobs=${JOBS:-$(nproc)}
summary=()

stage() {
  local name=$1 start=$SECONDS
  shift
  echo "== $name"
  if ! "$@"; then
    echo "make test: $name failed after $((SECONDS - start)) s" >&2
    exit 1
  fi
  summary+=("$name $((SECONDS - start)) s")
}

build_all() {
  cmake -S . -B build -G Ninja --log-level=NOTICE -DSEXTANT_TESTS=ON && cmake --build build --parallel "$jobs"
}

run_tests() { scripts/ctest.sh; }

stage format scripts/format.sh check
stage build build_all
stage tests run_tests
stage sanitizer-build scripts/sanitize.sh build reader_tests
stage sanitizer-tests scripts/sanitize.sh run reader_tests
stage tidy scripts/tidy.sh program

printf -v line '%s, ' "${summary[@]}"
echo "make test: all passed: ${line%, }; total $SECONDS s"
