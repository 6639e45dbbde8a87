#!/usr/bin/env bash
# The unit tests under ASan and UBSan. Usage: sanitize.sh build|run
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
    cmake --build build/sanitize --parallel "$jobs" --target unit_tests
    ;;
  run)
    # Tests of accuracy look for wrong figures, not for wrong memory: the optimised build has them.
    scripts/ctest.sh build/sanitize --label-regex '^unit$' --exclude-regex 'Accuracy[.]'
    ;;
  *)
    echo "usage: sanitize.sh build|run" >&2
    exit 2
    ;;
esac
