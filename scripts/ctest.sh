#!/usr/bin/env bash
# Runs the tests of a build and prints what did not pass, what was skipped, and ctest's closing lines.
# Usage: ctest.sh BUILD_FOLDER [CTEST_OPTION...]
set -euo pipefail
folder=$1
shift
ctest --test-dir "$folder" --output-on-failure --no-tests=error --parallel "${JOBS:-$(nproc)}" "$@" |
  grep --line-buffered -vE '^ +Start +[0-9]+:|^ *[0-9]+/[0-9]+ Test .* Passed '
