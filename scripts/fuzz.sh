#!/usr/bin/env bash
# Fuzzes every reader for FUZZ_SECONDS under ASan and UBSan, as many at once as there are cores.
# Starts from the corpus in the tree; new inputs go to build/fuzz/corpus, findings to build/fuzz/findings.
set -euo pipefail
cd "$(dirname "$0")/.."
jobs=${JOBS:-$(nproc)}
export seconds=${FUZZ_SECONDS:-60}

cmake -S . -B build/fuzz -G Ninja --log-level=NOTICE -DSEXTANT_FUZZ=ON -DSEXTANT_SANITIZE=address,undefined \
  -DCMAKE_CXX_COMPILER=clang++-14 -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG="-O1"
cmake --build build/fuzz --parallel "$jobs" --target fuzzers

fuzz_one() {
  local fuzzer=$1 name folder seeds grown findings log options=()
  name=$(basename "$fuzzer")
  name=${name#fuzz_}
  folder=$(echo */"${name%%_*}")
  seeds=$folder/fuzz/corpus/${name#*_}
  grown=build/fuzz/corpus/$name findings=build/fuzz/findings/$name log=build/fuzz/logs/$name.log
  mkdir -p "$grown" "$findings" build/fuzz/logs
  local dictionary=$folder/fuzz/${name#*_}.dict
  if [[ -f $dictionary ]]; then options+=(-dict="$dictionary"); fi
  if "$fuzzer" "$grown" "$seeds" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 \
    -artifact_prefix="$findings/" -print_final_stats=1 "${options[@]}" >"$log" 2>&1; then
    echo "$name: no finding in $(awk '/number_of_executed_units/ { print $2 }' "$log") runs;" \
      "$(find "$grown" -type f | wc -l) inputs found"
  else
    tail -n 40 "$log"
    echo "$name: FINDING; input in $findings, log in $log"
    return 1
  fi
}
export -f fuzz_one

find build/fuzz/fuzzers -type f -name 'fuzz_*' | sort |
  xargs -r -P "$jobs" -I{} bash -c 'fuzz_one {}'
