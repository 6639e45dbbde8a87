#!/usr/bin/env bash
# Every module has its line in ARCHITECTURE.md, its arrows there are those of CMakeLists.txt, and no
# include points against them. Usage: architecture.sh ROOT
set -euo pipefail
root=$1
source "$(dirname "$0")/arrows.sh"
cd "$root"

# Dependencies in the table of ARCHITECTURE.md.
documented() {
  awk -F '|' -v module="$1" '
    { name = $2; gsub(/[` ]/, "", name) }
    name == module { gsub(/[`,–-]/, " ", $3); print $3 }' ARCHITECTURE.md
}
sorted() { tr ' ' '\n' <<<"$*" | grep . | sort -u || true; }
includes() { grep -rnE --include='*.cpp' --include='*.h' "^ *# *include $1" "$module" || true; }

for folder in */include/sextant/*/; do
  module=${folder%%/*}
  if ! grep -qx "$module" <<<"$modules"; then fault "CMakeLists.txt: no sextant_module($module)"; fi
  if [[ $folder != "$module/include/sextant/$module/" ]]; then fault "$folder: not the module's own name"; fi
  if ! grep -qE "^\| *\`?$module\`? *\|" ARCHITECTURE.md; then
    fault "ARCHITECTURE.md: no line for module '$module'"
  fi

  # A cell in words, such as "everything", cannot be compared.
  cell=$(sorted "$(documented "$module")") arrows=$(sorted "$(direct "$module")")
  if [[ -z $(comm -23 <(echo "$cell") <(sorted "$modules")) && $cell != "$arrows" ]]; then
    fault "ARCHITECTURE.md: '$module' depends on '${cell//$'\n'/ }'; CMakeLists.txt says '${arrows//$'\n'/ }'"
  fi

  allowed=$(reachable "$module" | sort -u | paste -sd'|')
  while IFS= read -r line; do
    fault "$line: '$module' may include only ${allowed//|/, }"
  done < <(includes '["<]sextant/' | grep -vE "[\"<]sextant/($allowed)/" || true)
  while IFS= read -r line; do
    fault "$line: leaves its folder"
  done < <(includes '"\.\.')
done

echo "$(wc -w <<<"$modules") modules checked, $faults faults"
((faults == 0))
