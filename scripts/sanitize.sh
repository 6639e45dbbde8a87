#!/usr/bin/env bash
# The unit tests under ASan and UBSan. Usage: sanitize.sh build|run [TARGET]
# TARGET: unit_tests (all, the default) or reader_tests (modules that read what others wrote).
# A program that passed is not run again until it or a file of the tree that is no source changes (ALL=1: all are run).
# Clang at -O0 compiles them in half the time of GCC, and asserts stay on.
set -euo pipefail
cd "$(dirname "$0")/.."
jobs=${JOBS:-$(nproc)}
target=${2:-unit_tests}
source scripts/passed.sh
export ASAN_OPTIONS=${ASAN_OPTIONS:-detect_stack_use_after_return=1:strict_string_checks=1}
export UBSAN_OPTIONS=${UBSAN_OPTIONS:-print_stacktrace=1}

build_target() {
  cmake -S . -B build/sanitize -G Ninja --log-level=NOTICE -DSEXTANT_TESTS=ON -DCMAKE_BUILD_TYPE=Debug \
    -DCMAKE_CXX_COMPILER=clang++-14 -DSEXTANT_SANITIZE=address,undefined \
    -DCMAKE_CXX_FLAGS_DEBUG="-O0 -D_GLIBCXX_ASSERTIONS"
  cmake --build build/sanitize --parallel "$jobs" --target "$target"
}

# Each program once, not once a test: starting one under the sanitizers takes longer than most tests. Tests of accuracy,
# and of how well searches do, look for wrong figures, not for wrong memory: the optimised build has them.
run_tests() {
  local log=build/sanitize/logs/$1.log hash
  hash=$({ echo "$files" && cat "build/sanitize/$1"; } | sha256sum)
  if has_passed "sanitize.$1" "$hash"; then
    echo "$1: unchanged since it passed"
    return 0
  fi
  if (cd build/sanitize && "./$1" --gtest_brief=1 \
    --gtest_filter='-*Accuracy.*:*BeatsRandom*:*FindsMoreOfAFront*') >"$log" 2>&1; then
    remember_passed "sanitize.$1" "$hash"
    echo "$1: $(grep -F '[  PASSED  ]' "$log" | grep -oE '[0-9]+ tests?') passed"
  else
    cat "$log"
    echo "$1: FAILED under the sanitizers"
    return 1
  fi
}

run_replay() {
  local corpus log=build/sanitize/logs/$1.log
  for corpus in ./*/"${1#replay_}"/fuzz/corpus/*/; do
    if ! "build/sanitize/$1" "${corpus%/}" >"$log" 2>&1; then
      cat "$log"
      echo "$1: $corpus FAILED under the sanitizers"
      return 1
    fi
  done
}
export -f run_tests run_replay has_passed remember_passed

run_target() {
  local programs replays
  mkdir -p build/sanitize/logs
  files="$(texts_hash) $(tables_hash)"
  export files
  programs=$(ninja -C build/sanitize -t query "$target" | grep -oE '^    [a-z_]+_tests$')
  replays=$(ninja -C build/sanitize -t query "$target" | grep -oE '^    replay_[a-z]+$')
  # The largest first, so that none is left alone at the end.
  (cd build/sanitize && xargs stat --printf '%s %n\n' <<<"$programs") | sort -rn | cut -d' ' -f2 |
    xargs -P "$jobs" -I{} bash -c 'run_tests {}'
  xargs -P "$jobs" -L 1 bash -c 'run_replay "$1"' replay <<<"$replays"
  echo "corpora: $(wc -l <<<"$replays") modules passed"
}

case ${1:-} in
  build) build_target ;;
  run) run_target ;;
  *)
    echo "usage: sanitize.sh build|run [TARGET]" >&2
    exit 2
    ;;
esac
