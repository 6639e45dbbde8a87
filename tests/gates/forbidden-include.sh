#!/usr/bin/env bash
# An include against the arrows does not compile: with the include folders that CMake gives each module,
# its own header is found and no header of a module that it does not name.
# Usage: forbidden-include.sh ROOT INCLUDE_FOLDERS COMPILER
set -euo pipefail
root=$1 folders=$2 compiler=$3
source "$(dirname "$0")/arrows.sh"

compiler_of() {  # MODULE OPTION...: reads the source from stdin
  local module=$1 flags=() folder
  shift
  for folder in $(awk -v module="$module" '$1 == module { $1 = ""; print }' "$folders"); do
    if [[ $folder != /usr/include ]]; then flags+=("-I$folder"); fi  # the compiler has that one already
  done
  "$compiler" -std=c++20 -x c++ "${flags[@]}" "$@" -
}
compiles() { echo "#include \"$2\"" | compiler_of "$1" -fsyntax-only 2>/dev/null; }  # MODULE HEADER
first_header() { (cd "$root/$(folder_of "$1")/include" && find sextant -name '*.h' | sort | head -n 1); }

# Of the headers, those that the module can find: one compiler run asks for all of them.
found() {  # MODULE HEADER...
  local module=$1 header
  shift
  for header in "$@"; do printf '#if __has_include("%s")\nfound %s\n#endif\n' "$header" "$header"; done |
    compiler_of "$module" -E -P | sed -n 's/^found //p'
}

tried=0
for module in $modules; do
  own=$(first_header "$module")
  allowed=$(reachable "$module")
  others=()
  for other in $modules; do
    if ! grep -qx "$other" <<<"$allowed"; then others+=("$(first_header "$other")"); fi
  done
  tried=$((tried + ${#others[@]}))
  # Its own header is asked for too: a run that finds nothing at all does not pass.
  for header in $(found "$module" "$own" "${others[@]}" || true); do
    if [[ $header == "$own" ]]; then own=''; else fault "'$module' can find $header"; fi
  done
  if [[ -n $own ]]; then fault "control: '$module' does not find its own $own"; fi
done

# By name, so that an empty list of pairs cannot pass.
if ! compiles core "$(first_header core)"; then fault "'core' cannot include its own header"; fi
if compiles core "$(first_header cli)"; then fault "'core' can include the command line"; fi
if compiles core "$(first_header predict)"; then fault "'core' can include predictions"; fi
echo "$tried forbidden pairs tried, $faults faults"
((faults == 0 && tried > 0))
