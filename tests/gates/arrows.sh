# Sourced by the gates on modules: the arrows between them, as declared in CMakeLists.txt.

# "group module dependency..." per line.
declared=$(sed -nE 's/^sextant_module\(([a-z]+)\/([a-z]+)( DEPENDS ([a-z ]+))?\)$/\1 \2 \4/p' "$root/CMakeLists.txt")
modules=$(cut -d' ' -f2 <<<"$declared")

# The folder of a module: base/core.
folder_of() { awk -v module="$1" '$2 == module { print $1 "/" $2 }' <<<"$declared"; }
direct() { awk -v module="$1" '$2 == module { $1 = $2 = ""; print }' <<<"$declared"; }

# The module, what it names, and what those name.
reachable() {
  local module
  echo "$1"
  for module in $(direct "$1"); do reachable "$module"; done
}

faults=0
fault() {
  echo "$*"
  faults=$((faults + 1))
}
