#!/usr/bin/env bash
# Runs the tests of build/ that changed since they last passed (ALL=1: all of them): the programs of unit tests by
# unit_tests.sh, the rest by ctest. Prints what did not pass and what was skipped, and closes with a count of all.
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/passed.sh
texts=$(texts_hash) sources=$(sources_hash) tables=$(tables_hash)
log=build/logs/ctest.log total=build/logs/unit/total
mkdir -p "${total%/*}"
echo 0 0 0 >"$total"
: >"$log"

# What the tests of a group can see: their programs, the files of the tree, the tables, and the installed programs if
# they start them. A group is a program of unit tests or a label of ctest.
group_hash() {
  local programs=("$1") module
  module=$(basename "$1" _tests)
  case $1 in
    build/*)
      if grep -rqs SEXTANT_BINARY_DIR ./*/"$module"/tests; then programs+=(build/sextant build/sextant-worker); fi
      ;;
    corpus) programs=(build/replay_*) ;;
    *)
      programs=(build/sextant build/tests/transcript build/tests/daemon_kills)
      echo "$sources"
      ;;
  esac
  echo "$texts $tables"
  cat "${programs[@]}" 2>/dev/null | sha256sum || true
}

# The longest first: they end last.
long=(build/{engine,measure,cli,study,nets}_tests)
mapfile -t programs < <(printf '%s\n' "${long[@]}" && ls build/*_tests build/tests/*_tests | grep -vxF "$(printf '%s\n' "${long[@]}")")
mapfile -t labels < <(ctest --test-dir build --print-labels | sed -nE 's/^  ([a-z]+)$/\1/p')
declare -A hashes
unchanged=() changed_programs=() changed_labels=()
for group in "${programs[@]}" "${labels[@]}"; do
  hashes[$group]=$(group_hash "$group" | sha256sum)
  if has_passed "${group//\//.}" "${hashes[$group]}"; then
    unchanged+=("$(basename "$group")")
  elif [[ $group == build/* ]]; then
    changed_programs+=("$group")
  else
    changed_labels+=("$group")
  fi
done
if ((${#unchanged[@]} > 0)); then
  echo "unchanged since they passed, not run again (ALL=1 runs them): ${unchanged[*]}"
fi

failed=0
if ((${#changed_programs[@]} > 0)); then
  scripts/unit_tests.sh "${changed_programs[@]}" || failed=1
  for group in "${changed_programs[@]}"; do
    if [[ -f build/logs/unit/$(basename "$group").passed ]]; then remember_passed "${group//\//.}" "${hashes[$group]}"; fi
  done
fi
# Its own closing line is left out: the last line counts the tests of both.
if ((${#changed_labels[@]} > 0)); then
  if ctest --test-dir build --output-on-failure --no-tests=error --parallel "${JOBS:-$(nproc)}" \
    --label-regex "^($(IFS='|' && echo "${changed_labels[*]}"))\$" | tee "$log" |
    grep --line-buffered -vE '^ +Start +[0-9]+:|^ *[0-9]+/[0-9]+ Test .* Passed |^[0-9]+% tests passed'; then
    for label in "${changed_labels[@]}"; do remember_passed "$label" "${hashes[$label]}"; done
  else
    failed=1
  fi
fi

sed -nE 's/^[0-9]+% tests passed, ([0-9]+) tests failed out of ([0-9]+)$/\1 \2/p; s/^[[:space:]0-9]+- .* \(Skipped\)$/skipped/p' "$log" |
  cat "$total" - | awk '
    NF == 3 { passed += $1; failed += $2; skipped += $3 }
    NF == 2 { failed += $1; passed += $2 - $1 }
    NF == 1 { passed--; skipped++ }
    END { print passed " passed, " failed " failed, " skipped + 0 " skipped" }'
((failed == 0))
