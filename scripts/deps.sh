#!/usr/bin/env bash
# Installs the missing Debian packages of the named purposes (see packages.txt).
# Usage: deps.sh PURPOSE...
set -euo pipefail
list=$(dirname "$0")/packages.txt

if ! command -v dpkg-query >/dev/null; then
  echo "deps: not a Debian system; install what CMake asks for (see $list)"
  exit 0
fi

missing=()
for purpose in "$@"; do
  while read -r package; do
    status=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)
    [[ $status == installed ]] || missing+=("$package")
  done < <(awk -v purpose="$purpose" '$1 == purpose { print $2 }' "$list")
done
if ((${#missing[@]} == 0)); then exit 0; fi

as_root=()
if ((EUID != 0)); then
  if ! command -v sudo >/dev/null; then
    echo "error: missing packages: ${missing[*]}" >&2
    echo "  hint: become root and run: apt-get install ${missing[*]}" >&2
    exit 1
  fi
  as_root=(sudo)
fi

echo "deps: installing ${missing[*]}"
as_root+=(env DEBIAN_FRONTEND=noninteractive)
"${as_root[@]}" apt-get update -q=2
"${as_root[@]}" apt-get install -q=2 --no-install-recommends "${missing[@]}"
