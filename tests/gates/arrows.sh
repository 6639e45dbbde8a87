# Sourced by the gates on modules: the arrows between them, as declared in CMakeLists.txt.

# "module dependency..." per line.
declared=$(sed -nE 's/^sextant_module\(([a-z]+)( DEPENDS ([a-z ]+))?\)$/\1 \3/p' "$root/CMakeLists.txt")
modules=$(cut -d' ' -f1 <<<"$declared")

direct() { awk -v module="$1" '$1 == module { $1 = ""; print }' <<<"$declared"; }

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
