#!/usr/bin/env bash
# Lists the project's files, tracked and new, without what is built. Usage: sources.sh [ERE on the path]
set -euo pipefail
cd "$(dirname "$0")/.."
if git rev-parse --is-inside-work-tree >/dev/null 2>&1 && [[ -e .git ]]; then
  git ls-files --cached --others --exclude-standard
else
  find . -path ./build -prune -o -path ./.git -prune -o -type f -printf '%P\n'
fi | sort -u | { grep -E "${1:-.}" || true; } | while read -r file; do
  if [[ -f $file ]]; then echo "$file"; fi
done
