# Sourced by the gates on modules: the arrows between them, as declared in CMakeLists.txt.

# "group module dependency..." per line.
declared=$(sed -nE 's/^sextant_module\(([a-z]+)\/([a-z]+)( DEPENDS ([a-z ]+))?\)$/\1 \2 \4/p' "$root/CMakeLists.txt")
modules=$(cut -d' ' -f2 <<<"$declared")

# The folder of a module: base/core.
folder_of() { awk -v module="$1" '$2 == module { print $1 "/" $2 }' <<<"$declared"; }
direct() { awk -v module="$1" '$2 == module { $1 = $2 = ""; print }' <<<"$declared"; }

# The module, what it names, and what those name, a line each. One awk: a process for every arrow took most of a gate.
reachable() {
  awk -v module="$1" '
    { for (i = 3; i <= NF; ++i) names[$2] = names[$2] " " $i }
    END {
      waiting[1] = module
      seen[module] = count = 1
      for (next_one = 1; next_one <= count; ++next_one) {
        print waiting[next_one]
        parts = split(names[waiting[next_one]], part, " ")
        for (i = 1; i <= parts; ++i) if (!seen[part[i]]++) waiting[++count] = part[i]
      }
    }' <<<"$declared"
}

faults=0
fault() {
  echo "$*"
  faults=$((faults + 1))
}
