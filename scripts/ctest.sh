#!/usr/bin/env bash
# Runs the tests of build/ that changed since they last passed (ALL=1: all of them) and prints what did not pass, what
# was skipped, and ctest's closing lines. A group of tests is a label: unit.MODULE, transcript, gate.
# Usage: ctest.sh [CTEST_OPTION...]
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/passed.sh
texts=$(texts_hash) sources=$(sources_hash) tables=$(tables_hash)

# What the tests of a group can see: their programs, the files of the tree, the tables, and the installed programs if
# they start them.
group_hash() {
  local module=${1#unit.} programs=()
  if [[ $1 != unit.* ]]; then
    programs=(build/sextant build/tests/transcript)
    echo "$sources"
  else
    programs=(build/"${module}"_tests build/tests/"${module}"_tests build/replay_"${module}"_*)
    if grep -rqs SEXTANT_BINARY_DIR ./*/"$module"/tests tests/support; then
      programs+=(build/sextant build/sextant-worker)
    fi
  fi
  echo "$texts $tables"
  cat "${programs[@]}" 2>/dev/null | sha256sum || true
}

mapfile -t groups < <(ctest --test-dir build --print-labels | sed -nE 's/^  ([a-z]+(\.[a-z_]+)?)$/\1/p')
declare -A hashes
unchanged=()
for group in "${groups[@]}"; do
  hashes[$group]=$(group_hash "$group" | sha256sum)
  if has_passed "$group" "${hashes[$group]}"; then unchanged+=("$group"); fi
done
leave_out=()
if ((${#unchanged[@]} > 0)); then
  echo "unchanged since they passed, not run again (ALL=1 runs them): ${unchanged[*]}"
  leave_out=(--label-exclude "^($(IFS='|' && echo "${unchanged[*]//./[.]}"))\$")
fi
if ((${#unchanged[@]} < ${#groups[@]})); then
  ctest --test-dir build --output-on-failure --no-tests=error --parallel "${JOBS:-$(nproc)}" "${leave_out[@]}" "$@" |
    grep --line-buffered -vE '^ +Start +[0-9]+:|^ *[0-9]+/[0-9]+ Test .* Passed '
fi
if (($# == 0)); then
  for group in "${groups[@]}"; do remember_passed "$group" "${hashes[$group]}"; done
fi
