#!/usr/bin/env bash
# clang-tidy over the sources of build/: `tidy.sh program` leaves out tests, fuzzers and benchmarks, whose
# headers take as long to read as all the rest; `tidy.sh all` takes everything. A source that passed is not
# checked again until it, a project header that it includes, or the settings change: build/tidy/ keeps the
# hash with which it passed. Most of the time goes into headers, so sources of one folder are checked together, as
# one unit; those that a message names, or that do not go together, are checked again alone.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
scope=${1:-all}
mkdir -p build/tidy

# Lines "source dependency", both relative to the root, from ninja's record of includes. Only project files.
dependencies() {
  ninja -C build -t deps | awk -v root="$root/" '
    function relative(path) {
      if (index(path, root) == 1) return substr(path, length(root) + 1)
      if (path ~ /^\.\.\//) return substr(path, 4)
      if (path !~ /^\//) return "build/" path
      return ""
    }
    /^[^ ]/ { source = "" }
    /^ /    { path = relative($1)
              if (path == "" || path ~ /cmake_pch/) next
              if (source == "" && path ~ /\.cpp$/) source = path
              if (source != "") print source, path }' | sort -u
}

# Lines "source hash" for every source that still exists.
hashes() {
  local pairs settings
  pairs=$(dependencies)
  settings=$(clang-tidy-14 --version | cat - .clang-tidy | sha256sum | cut -d' ' -f1)
  # A header that is gone since the last build has no hash, and changes that of its sources.
  cut -d' ' -f2 <<<"$pairs" | sort -u | { xargs -r sha256sum 2>/dev/null || true; } |
    awk 'NR == FNR { hash[$2] = $1; next } ($1 in hash) { print $1, hash[$2] }' - <(echo "$pairs") |
    awk -v settings="$settings" '{ line[$1] = line[$1] $2 } END { for (s in line) print s, settings line[s] }' |
    while read -r source text; do echo "$source $(sha256sum <<<"$text" | cut -d' ' -f1)"; done
}

# The database is GCC's: some of its warning options are unknown to Clang, and its precompiled headers no use.
sed -E 's/ -Winvalid-pch//; s/ -include [^ ]*cmake_pch[.]hxx//' build/compile_commands.json \
  >build/tidy/compile_commands.json
run_tidy() { clang-tidy-14 --quiet --extra-arg=-Wno-unknown-warning-option "$@"; }

# One source and its hash.
check() {
  local source=$1 hash=$2 stamp=build/tidy/${1//\//_} options=()
  # In tests, names and sizes only: the expansion of their macros is slow to analyse.
  if [[ $source =~ (^|/)(tests|fuzz|bench)/ ]]; then
    options+=('--checks=-bugprone-*,-performance-*,-modernize-*,-misc-*')
  fi
  if run_tidy -p build/tidy "${options[@]}" "$source" 2>"$stamp.err"; then
    echo "$hash" >"$stamp"
    rm "$stamp.err"
  else
    grep -v 'warnings\? \(generated\|treated\)' "$stamp.err" >&2 || true
    echo "tidy: $source failed" >&2
    return 1
  fi
}

# A unit that includes the given sources, compiled as the first of them is; what it says goes to its log.
check_unit() {
  local folder
  folder=build/tidy/units/${1//\//_}
  mkdir -p "$folder"
  printf "#include \"$root/%s\"\n" "$@" >"$folder/unit.cpp"
  awk -v file="\"file\": \"$root/$1\"" '/^\{/ { entry = "" } { entry = entry $0 "\n" }
    index($0, file) { print "["; printf "%s", entry; print "}]"; exit }' build/tidy/compile_commands.json |
    sed "s#$root/$1#$root/$folder/unit.cpp#g" >"$folder/compile_commands.json"
  run_tidy -p "$folder" --header-filter='(include/sextant|/src|/zoo|/tests)/.*[.]h$|[.]cpp$' \
    --checks=-bugprone-suspicious-include "$folder/unit.cpp" >"$folder/log" 2>&1
}

# Sources, each followed by its hash.
check_together() {
  local -A hash=()
  local sources=() named=() rest=() failed=0 source log
  while (($# > 0)); do
    hash[$1]=$2
    sources+=("$1")
    shift 2
  done
  while ((${#sources[@]} > 1)); do
    if check_unit "${sources[@]}"; then
      for source in "${sources[@]}"; do echo "${hash[$source]}" >"build/tidy/${source//\//_}"; done
      return "$failed"
    fi
    log=build/tidy/units/${sources[0]//\//_}/log named=() rest=()
    for source in "${sources[@]}"; do
      if grep -qF "/$source:" "$log"; then named+=("$source"); else rest+=("$source"); fi
    done
    if ((${#named[@]} == 0)); then break; fi
    for source in "${named[@]}"; do check "$source" "${hash[$source]}" || failed=1; done
    sources=("${rest[@]}")
  done
  for source in "${sources[@]}"; do check "$source" "${hash[$source]}" || failed=1; done
  return "$failed"
}
export root
export -f run_tidy check check_unit check_together

# Lines "source hash ..." of up to eight sources of one folder of the program; all others alone.
units() {
  awk '{ folder = $1; sub("/[^/]*$", "", folder) }
       folder != last || count == 8 || folder ~ /(^|\/)(tests|fuzz|bench)(\/|$)/ { if (NR > 1) print ""; count = 0 }
       { printf "%s %s ", $1, $2; last = folder; ++count }
       END { print "" }'
}

in_scope() {
  if [[ $scope == all ]]; then cat; else grep -vE '(^|/)(tests|fuzz|bench)/' || true; fi
}

stale=$(hashes | in_scope | sort | while read -r source hash; do
  [[ $(cat "build/tidy/${source//\//_}" 2>/dev/null) == "$hash" ]] || echo "$source $hash"
done)
if [[ -z $stale ]]; then
  echo "tidy: nothing changed"
  exit 0
fi
echo "tidy: $(wc -l <<<"$stale") files to check"
units <<<"$stale" | sed 's/ *$//' | xargs -P "${JOBS:-$(nproc)}" -L 1 bash -c 'check_together "$@"' tidy
