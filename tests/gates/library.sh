#!/usr/bin/env bash
# All is installed, and the library found by find_package outside of the tree, and asked a question by a program of ten lines.
# Usage: library.sh ROOT BUILD SCRATCH
set -euo pipefail
root=$1 build=$2 scratch=$3
rm -rf "$scratch"
mkdir -p "$scratch"
cmake --install "$build" --prefix "$scratch/prefix" >"$scratch/install.log"
cp -r "$root/examples/library" "$scratch/source"
cmake -S "$scratch/source" -B "$scratch/build" -G Ninja --log-level=NOTICE -DCMAKE_PREFIX_PATH="$scratch/prefix"
cmake --build "$scratch/build"
said=$("$scratch/build/ask_sextant")
echo "$said"
if [[ $(grep -cE '^[a-z0-9-]+: [0-9.]+ ms a step$' <<<"$said") != 3 ]]; then
  echo "three answers were expected"
  exit 1
fi
for file in man/man1/sextant.1 man/man1/sextant-predict.1 man/man1/sextant-worker.1 bash-completion/completions/sextant \
  zsh/vendor-completions/_sextant fish/vendor_completions.d/sextant.fish; do
  if [[ ! -s $scratch/prefix/share/$file ]]; then
    echo "$file was not installed"
    exit 1
  fi
done
# The installed program finds what it loads on demand.
"$scratch/prefix/bin/sextant" simulate --help >/dev/null
rm -rf "$scratch"
