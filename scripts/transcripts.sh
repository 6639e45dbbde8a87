#!/usr/bin/env bash
# Rewrites the expected output of every document and example that no longer agrees with the program.
set -euo pipefail
cd "$(dirname "$0")/.."
{
  scripts/sources.sh '\.md$' | xargs -r grep -lx '```console' || true
  scripts/sources.sh '^examples/[^/]+/command$' | xargs -r dirname
} | while read -r subject; do
  echo "$subject"
  build/tests/transcript --update build/sextant . "$subject" "build/tests/scratch/${subject//\//_}"
done
