#!/usr/bin/env bash
# Runs the programs of unit tests, each in a few processes that share its tests between them (shards): to start one for
# every test takes longer than most tests do. Prints what did not pass, what was skipped, and the seconds of each program;
# writes "PASSED FAILED SKIPPED" of all to build/logs/unit/total, and build/logs/unit/PROGRAM.passed.
# Usage: unit_tests.sh PROGRAM..., relative to the root
set -euo pipefail
cd "$(dirname "$0")/.."
logs=build/logs/unit
rm -rf "$logs"
mkdir -p "$logs"
# More processes than cores: many tests wait for a worker, a server or a clock.
shards=${SHARDS:-6} jobs=$((${JOBS:-$(nproc)} + 1))
export logs shards

# Of a shard's log: what a test said that failed, the names of those that were skipped, and counts. A test that began and
# did not end took the program with it; what should have come after it counts as failed.
read_log='
  function fail(text) { printf "%s%s\n", said, text; print text > failures; failed++ }
  match($0, /\[==========\] Running [0-9]+ tests?/) { split(substr($0, RSTART, RLENGTH), word, " "); due = word[3] }
  /\[==========\] .* ran\./ { ended = 1 }
  ended { next }
  /^\[ RUN      \] / { name = $4; said = ""; next }
  match($0, /\[       OK \] /) { passed++; name = said = ""; next }
  match($0, /\[  SKIPPED \] /) { print name > skips; skipped++; name = said = ""; next }
  match($0, /\[  FAILED  \] /) { fail(substr($0, RSTART)); name = said = ""; next }
  { said = said $0 "\n" }
  END {
    if (name != "") fail("[  FAILED  ] " name ": the program ended with " code)
    else if (!ended) fail("[  FAILED  ] " shard ": the program ended with " code " before its tests did")
    else if (code != 0 && !failed) fail("[  FAILED  ] " shard ": all its tests passed, and it ended with " code)
    missing = due - passed - failed - skipped
    if (missing > 0) { print shard ": " missing " tests were not run"; failed += missing }
    print passed + 0, failed + 0, skipped + 0, seconds > counts
  }'
export read_log

run_shard() {
  local program=$1 index=$2 code=0 start=$EPOCHREALTIME shard seconds
  shard=$(basename "$program").$index
  (cd "$(dirname "$program")" && GTEST_TOTAL_SHARDS=$shards GTEST_SHARD_INDEX=$index \
    exec timeout --foreground -k 30 1800 "./$(basename "$program")" --gtest_color=no) >"$logs/$shard.log" 2>"$logs/$shard.err" ||
    code=$?
  seconds=$(awk -v from="$start" -v to="$EPOCHREALTIME" 'BEGIN { print to - from }')
  awk -v code="$code" -v shard="$shard" -v seconds="$seconds" -v skips="$logs/$shard.skipped" \
    -v failures="$logs/$shard.failed" -v counts="$logs/$shard.counts" "$read_log" "$logs/$shard.log"
  # Other processes that the tests started speak there too.
  if [[ -f $logs/$shard.failed ]]; then tail -n 40 "$logs/$shard.err"; fi
}
export -f run_shard

for ((index = 0; index < shards; ++index)); do printf "%s $index\n" "$@"; done |
  xargs -P "$jobs" -L 1 bash -c 'run_shard "$1" "$2"' shard

for program in "$@"; do
  name=$(basename "$program")
  if cat "$logs/$name".*.counts | awk -v name="$name" '{ passed += $1; failed += $2; skipped += $3; seconds += $4 }
    END { printf "%s: %d passed, %d failed, %d skipped, %.0f s\n", name, passed, failed, skipped, seconds
          exit failed > 0 || passed + skipped == 0 }'; then touch "$logs/$name.passed"; else failed=1; fi
done
for kind in skipped failed; do
  if compgen -G "$logs/*.$kind" >/dev/null; then
    echo "$kind:"
    sort "$logs"/*."$kind" | sed 's/^/  /'
  fi
done
cat "$logs"/*.counts | awk '{ passed += $1; failed += $2; skipped += $3 } END { print passed, failed, skipped }' >"$logs/total"
((${failed:-0} == 0))
