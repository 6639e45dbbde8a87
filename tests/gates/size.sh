#!/usr/bin/env bash
# No source file is longer than 400 lines, no command longer than 120 and no function longer than 60.
# Usage: size.sh ROOT
# Layout is clang-format's, so a function at namespace scope ends with the first "}" in column 0; those
# inside classes are left to readability-function-size.
set -euo pipefail
cd "$1"
scripts/sources.sh '\.(cpp|h|sh|cmake)$|CMakeLists.txt$|^Makefile$' | xargs awk '
  function fault(text) { print FILENAME ":" text; faults++ }
  FNR == 1   { files++; start = 0 }
  FNR == 401 { fault("401: more than 400 lines") }
  FNR == 121 && FILENAME ~ /^front\/cli\/commands\// { fault("121: a command of more than 120 lines") }
  FILENAME ~ /\.(cpp|h)$/ {
    if (/^[A-Za-z].*[{]$/ && !/^(namespace|class|struct|enum|union|extern|const|constexpr|static const)/) start = FNR
    if (/^}/ && start) {
      functions++
      if (FNR - start + 1 > 60) fault(start ": a function of " FNR - start + 1 " lines, at most 60")
      start = 0
    }
  }
  END { print files " files and " functions " functions checked, " faults + 0 " faults"; exit faults > 0 }'
