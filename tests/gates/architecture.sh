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
includes() { grep -rnE --include='*.cpp' --include='*.h' "^ *# *include $1" "$group/$module" || true; }

# Groups stand in the order of the house; a module names only modules of its own group and of those before it.
order=$(cut -d' ' -f1 <<<"$declared" | awk '!seen[$1]++')
rank() { grep -nx "$(folder_of "$1" | cut -d/ -f1)" <<<"$order" | cut -d: -f1; }

for folder in */*/include/sextant/*/; do
  IFS=/ read -r group module _ <<<"$folder"
  if [[ $(folder_of "$module") != "$group/$module" ]]; then fault "CMakeLists.txt: no sextant_module($group/$module)"; fi
  if [[ $folder != "$group/$module/include/sextant/$module/" ]]; then fault "$folder: not the module's own name"; fi
  for other in $(direct "$module"); do
    if (($(rank "$other") > $(rank "$module"))); then fault "CMakeLists.txt: '$module' is below '$other'"; fi
  done
  # Its own namespace; core has the one that all share.
  own=$module
  while IFS= read -r line; do
    if [[ $module != core ]]; then fault "$line: not in namespace sextant::$own"; fi
  done < <(grep -rnE --include='*.cpp' --include='*.h' '^namespace sextant' "$group/$module" |
    grep -vE "namespace sextant::$own(::[a-z_0-9]+)* [{]" || true)
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
