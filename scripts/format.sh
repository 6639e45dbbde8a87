#!/usr/bin/env bash
# Formats the C++ files, or with "check" fails where one is not formatted. Usage: format.sh [check]
set -euo pipefail
cd "$(dirname "$0")/.."
how=(-i)
if [[ ${1:-} == check ]]; then how=(--dry-run -Werror); fi
scripts/sources.sh '\.(cpp|h)$' | xargs -r -P "$(nproc)" -n 16 clang-format-14 "${how[@]}"
