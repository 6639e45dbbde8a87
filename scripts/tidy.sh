#!/usr/bin/env bash
# clang-tidy over the sources of build/: `tidy.sh program` leaves out tests, fuzzers and benchmarks, whose
# headers take as long to read as all the rest; `tidy.sh all` takes everything. A source that passed is not
# checked again until it, a project header that it includes, or the settings change: build/tidy/ keeps the
# hash with which it passed.
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
              if (path == "") next
              if (source == "" && path ~ /\.cpp$/) source = path
              if (source != "") print source, path }' | sort -u
}

# Lines "source hash" for every source that still exists.
hashes() {
  local pairs settings
  pairs=$(dependencies)
  settings=$(clang-tidy-14 --version | cat - .clang-tidy | sha256sum | cut -d' ' -f1)
  cut -d' ' -f2 <<<"$pairs" | sort -u | xargs -r sha256sum 2>/dev/null |
    awk 'NR == FNR { hash[$2] = $1; next } ($1 in hash) { print $1, hash[$2] }' - <(echo "$pairs") |
    awk -v settings="$settings" '{ line[$1] = line[$1] $2 } END { for (s in line) print s, settings line[s] }' |
    while read -r source text; do echo "$source $(sha256sum <<<"$text" | cut -d' ' -f1)"; done
}

check() {
  local source=$1 hash=$2 stamp=build/tidy/${1//\//_} options=()
  # In tests, names and sizes only: the expansion of their macros is slow to analyse.
  if [[ $source =~ (^|/)(tests|fuzz|bench)/ ]]; then
    options+=('--checks=-bugprone-*,-performance-*,-modernize-*,-misc-*')
  fi
  # The database is GCC's: some of its warning options are unknown to Clang.
  if clang-tidy-14 --quiet -p build --extra-arg=-Wno-unknown-warning-option "${options[@]}" \
    "$source" 2>"$stamp.err"; then
    echo "$hash" >"$stamp"
    rm "$stamp.err"
  else
    grep -v 'warnings\? \(generated\|treated\)' "$stamp.err" >&2 || true
    echo "tidy: $source failed" >&2
    return 1
  fi
}
export -f check

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
xargs -P "${JOBS:-$(nproc)}" -L 1 bash -c 'check "$0" "$1"' <<<"$stale"
