#!/usr/bin/env bash
# A network is one file: dropped into a copy of the tree, it is built and listed with nothing else touched.
# The compiler cache makes the copy's other objects copies too. Usage: plugin.sh ROOT SCRATCH
set -euo pipefail
root=$1 scratch=$2
rm -rf "$scratch"
mkdir -p "$scratch"
(cd "$root" && scripts/sources.sh | tar --create --files-from - ) | tar --extract --directory "$scratch"
cp "$root/tests/gates/plugin/my_tiny.cpp" "$scratch/nets/zoo/"

cmake -S "$scratch" -B "$scratch/build" -G Ninja --log-level=NOTICE -DSEXTANT_TESTS=OFF
cmake --build "$scratch/build" --parallel "$(nproc)" --target sextant

listed=$("$scratch/build/sextant" list nets)
if ! grep -q 'my-tiny' <<<"$listed"; then
  echo "my-tiny is not listed:"
  echo "$listed"
  exit 1
fi
"$scratch/build/sextant" net summary my-tiny --totals
rm -rf "$scratch"
