#!/usr/bin/env bash
# No source file is longer than 400 lines. (Functions: readability-function-size in .clang-tidy.)
# Usage: file-size.sh ROOT
set -euo pipefail
cd "$1"
scripts/sources.sh '\.(cpp|h|sh|cmake)$|CMakeLists.txt$|^Makefile$' | xargs wc -l |
  awk '$2 != "total" { files++; if ($1 > 400) { print $2 ": " $1 " lines, at most 400"; long++ } }
       END { print files " files checked"; exit long > 0 }'
