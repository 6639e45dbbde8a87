#!/usr/bin/env bash
# Compiles every source alone, without making an object: each includes what it uses, whichever sources it is otherwise
# compiled with. A source that passed is not compiled again until it or a project header that it reads changes:
# build/units/ keeps what it read and the hash of that. Usage: units.sh [ERE on the path]
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
mkdir -p build/units
cmake -S . -B build/units/single -G Ninja --log-level=ERROR -DCMAKE_CXX_COMPILER=clang++-14 -DSEXTANT_TESTS=ON \
  -DSEXTANT_UNITY=OFF >/dev/null
# The data that sources embed.
ninja -C build/units/single -t targets all | sed -nE 's/^(gen\/[^:]*\.inc): CUSTOM_COMMAND$/\1/p' |
  xargs ninja -C build/units/single >/dev/null

check() {
  local source=$1 stamp=build/units/${1//\//_} command
  if [[ -f $stamp.passed && $(xargs sha256sum <"$stamp.read" 2>/dev/null | sha256sum) == "$(cat "$stamp.passed")" ]]; then
    return 0
  fi
  command=$(grep -F "\"file\": \"$root/$source\"" -B 1 build/units/single/compile_commands.json |
    sed -nE 's/^  "command": "(.*)",?$/\1/p' | head -n 1 |
    sed -E 's/\\"/"/g; s/^.*clang\+\+-14 /clang++-14 /; s/ -Winvalid-pch//; s/ -Xclang -include-pch -Xclang [^ ]*//
            s/ -Xclang -include -Xclang [^ ]*cmake_pch[^ ]*//; s/ -Xclang -fno-pch-timestamp//; s/ -o [^ ]*//')
  if (cd build/units/single && eval "$command -fsyntax-only -MMD -MF $root/$stamp.d -MT unit") 2>"$stamp.err"; then
    sed -E 's/^unit://; s/\\$//' "$stamp.d" | tr -s ' ' '\n' | grep -F "$root/" | sort -u >"$stamp.read"
    xargs sha256sum <"$stamp.read" | sha256sum >"$stamp.passed"
  else
    cat "$stamp.err" >&2
    echo "units: $source does not compile alone" >&2
    return 1
  fi
}
export -f check
export root

sed -nE "s#^  \"file\": \"$root/(.*)\".*#\1#p" build/units/single/compile_commands.json | sort -u |
  { grep -vE '^(build|cmake)/|^runtime/engine/|^bench/engine/' || true; } | { grep -E "${1:-.}" || true; } >build/units/list
echo "units: $(wc -l <build/units/list) sources"
xargs -P "${JOBS:-$(nproc)}" -n 1 bash -c 'check "$1"' units <build/units/list
