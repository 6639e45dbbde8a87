#!/usr/bin/env bash
# An include against the arrows does not compile: with the include folders that CMake gives each module,
# its own header is found and no header of a module that it does not name.
# Usage: forbidden-include.sh ROOT INCLUDE_FOLDERS COMPILER
set -euo pipefail
root=$1 folders=$2 compiler=$3
source "$(dirname "$0")/arrows.sh"

compiles() {  # MODULE HEADER
  local flags=() folder
  for folder in $(awk -v module="$1" '$1 == module { $1 = ""; print }' "$folders"); do
    if [[ $folder != /usr/include ]]; then flags+=("-I$folder"); fi  # the compiler has that one already
  done
  echo "#include \"$2\"" | "$compiler" -std=c++20 -fsyntax-only -x c++ "${flags[@]}" - 2>"$log"
}
first_header() { (cd "$root/$(folder_of "$1")/include" && find sextant -name '*.h' | sort | head -n 1); }

log=$(mktemp)
trap 'rm -f "$log"' EXIT
tried=0
for module in $modules; do
  if ! compiles "$module" "$(first_header "$module")"; then
    fault "control: '$module' cannot include its own $(first_header "$module")"
    cat "$log"
  fi
  allowed=$(reachable "$module")
  for other in $modules; do
    if grep -qx "$other" <<<"$allowed"; then continue; fi
    tried=$((tried + 1))
    header=$(first_header "$other")
    # The header itself must be what is missing, not something that it includes.
    if compiles "$module" "$header" || ! grep -qE "$header'?:? (No such file|file not found)" "$log"; then
      fault "'$module' can find $header"
    fi
  done
done

# By name, so that an empty list of pairs cannot pass.
if compiles core "$(first_header cli)"; then fault "'core' can include the command line"; fi
if compiles core "$(first_header predict)"; then fault "'core' can include predictions"; fi
echo "$tried forbidden pairs tried, $faults faults"
((faults == 0 && tried > 0))
