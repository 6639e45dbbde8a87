#!/usr/bin/env bash
# No text names a folder of somebody's machine, a package registry, or work left undone; blocks of the first page are no
# wider than 100 columns.
# Usage: hygiene.sh ROOT
set -euo pipefail
cd "$1"
# Spelt with brackets, so that this file does not find itself.
paths='(^|[^A-Za-z0-9_.})/-])/([w]ork|[r]oot|[h]ome/[a-z])([/"'"'"' ]|$)'
registries='[d]eb\.debian\.org|[p]ypi\.org|[r]egistry\.npmjs|[g]hcr\.io|[d]ocker\.io|[c]rates\.io|[a]rtifactory'
unfinished='\b([T]ODO|[F]IXME|[X]XX|[H]ACK|[W]IP)\b'

files=$(scripts/sources.sh | grep -vE '/fuzz/corpus/|^LICENSE$')
if xargs grep -nIE "$paths|$registries|$unfinished" <<<"$files"; then
  echo "remove the lines above" >&2
  exit 1
fi
# Whoever reads the first page in a terminal or a narrow window sees whole lines of commands and answers.
if awk '/^```/ { block = !block } block && length($0) > 100 { print FILENAME ":" FNR ": " $0; wide = 1 } END { exit !wide }' README.md; then
  echo "make these lines of commands and answers at most 100 columns wide" >&2
  exit 1
fi
echo "$(wc -l <<<"$files") files checked"
