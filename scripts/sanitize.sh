#!/usr/bin/env bash
# The unit tests under ASan and UBSan. Usage: sanitize.sh build [TARGET]|run
# TARGET: unit_tests (all, the default) or library_tests (without learn, plan, report and cli).
# Clang at -O0 compiles them in half the time of GCC, and asserts stay on.
set -euo pipefail
cd "$(dirname "$0")/.."
jobs=${JOBS:-$(nproc)}
export ASAN_OPTIONS=${ASAN_OPTIONS:-detect_stack_use_after_return=1:strict_string_checks=1}
export UBSAN_OPTIONS=${UBSAN_OPTIONS:-print_stacktrace=1}

case ${1:-} in
  build)
    cmake -S . -B build/sanitize -G Ninja --log-level=NOTICE -DSEXTANT_TESTS=ON -DCMAKE_BUILD_TYPE=Debug \
      -DCMAKE_CXX_COMPILER=clang++-14 -DSEXTANT_SANITIZE=address,undefined \
      -DCMAKE_CXX_FLAGS_DEBUG="-O0 -D_GLIBCXX_ASSERTIONS"
    cmake --build build/sanitize --parallel "$jobs" --target "${2:-unit_tests}"
    ;;
  run)
    # Each program once, not once a test: starting one under the sanitizers takes longer than most tests.
    # Tests of accuracy, and of how well searches do, look for wrong figures, not for wrong memory: the optimised build
    # has them.
    cd build/sanitize
    run_one() {
      local log=logs/$1.log
      if "./$1" --gtest_brief=1 --gtest_filter='-*Accuracy.*:*BeatsRandom*:*FindsMoreOfAFront*' >"$log" 2>&1; then
        echo "$1: $(grep -oE '[0-9]+ tests?' "$log" | tail -n 1) passed"
      else
        cat "$log"
        echo "$1: FAILED under the sanitizers"
        return 1
      fi
    }
    export -f run_one
    mkdir -p logs
    # The largest first, so that none is left alone at the end.
    find . -maxdepth 1 -type f -name '*_tests' -printf '%s %f\n' | sort -rn | cut -d' ' -f2 | xargs -P "$jobs" -I{} bash -c 'run_one {}'
    ../../scripts/ctest.sh . --tests-regex '^fuzz-corpus[.]'
    ;;
  *)
    echo "usage: sanitize.sh build [TARGET]|run" >&2
    exit 2
    ;;
esac
