#!/usr/bin/env bash
# clang-tidy over the modules of the program, a unit each: all its sources, plug-ins included, as one. That reads the
# headers once, and shows that names in a module do not clash, whichever of its sources are compiled together.
# `tidy.sh all` takes tests, fuzzers and benchmarks along, where names and sizes only are checked: the expansion of
# their macros is slow to analyse. A unit that passed is not checked again until one of its sources, a project header
# or the settings change: build/tidy/ keeps the hash with which it passed.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
scope=${1:-program}
mkdir -p build/tidy

# Lines "unit source", sources relative to the root, of what CMake compiles one by one.
units() {
  cmake -S . -B build/tidy/single -G Ninja --log-level=ERROR -DSEXTANT_TESTS=ON -DSEXTANT_UNITY=OFF >/dev/null
  # The data that sources embed.
  ninja -C build/tidy/single -t targets all | sed -nE 's/^(gen\/[^:]*\.inc): CUSTOM_COMMAND$/\1/p' |
    xargs ninja -C build/tidy/single >/dev/null
  sed -nE "s#^  \"file\": \"$root/(.*)\".*#\1#p" build/tidy/single/compile_commands.json | sort -u |
    awk -F/ '/^(build|cmake)\// { next }
      $1 == "tests" || $1 == "bench" { print $1 "-" ($3 == "" ? "programs" : $2), $0; next }
      $3 == "tests" || $3 == "fuzz"  { print $2 "-" $3, $0; next }
      { print $2 ($3 == "main" ? "-main" : ""), $0 }' |
    if [[ $scope == all ]]; then cat; else grep -vE '^[a-z]+-(tests|fuzz|programs|transcripts|support|stress|engine) '; fi
}

# What a unit may include: headers of its module and of those below it, and the settings.
source tests/gates/arrows.sh
headers_hash() {
  local module folders=()
  for module in $(reachable "${1%%-*}" | sort -u); do
    if [[ -n $(folder_of "$module") ]]; then folders+=("$(folder_of "$module")"); fi
  done
  { clang-tidy-14 --version; cat .clang-tidy; find ${folders[@]:-base facts models runtime decide front} tests bench \
    -name '*.h' | sort | xargs cat; } | sha256sum | cut -d' ' -f1
}

# A unit, compiled as its first source is; what clang-tidy says goes to its log.
check() {
  local unit=$1 folder=build/tidy/units/$1 options=() hash first
  local -a sources
  mapfile -t sources < <(awk -v unit="$unit" '$1 == unit { print $2 }' build/tidy/list)
  hash=$({ headers_hash "$unit"; cat "${sources[@]}"; } | sha256sum | cut -d' ' -f1)
  if [[ $(cat "build/tidy/$unit.passed" 2>/dev/null) == "$hash" ]]; then return 0; fi
  mkdir -p "$folder"
  printf "#include \"$root/%s\"\n" "${sources[@]}" >"$folder/unit.cpp"
  first=${sources[0]}
  awk -v file="\"file\": \"$root/$first\"" '/^\{/ { entry = "" } { entry = entry $0 "\n" }
    index($0, file) { print "["; printf "%s", entry; print "}]"; exit }' build/tidy/single/compile_commands.json |
    sed -E "s# -Winvalid-pch##; s# -include [^ ]*cmake_pch[.]hxx##; s#$root/$first#$root/$folder/unit.cpp#g" \
      >"$folder/compile_commands.json"
  if [[ $unit == *-* && $unit != *-main ]]; then
    options+=('--checks=-bugprone-*,-performance-*,-modernize-*,-misc-*')
  else
    options+=('--checks=-bugprone-suspicious-include')
  fi
  if clang-tidy-14 --quiet --extra-arg=-Wno-unknown-warning-option -p "$folder" "${options[@]}" \
    --header-filter='(include/sextant|/src|/zoo|/tests)/.*[.]h$|[.]cpp$' "$folder/unit.cpp" >"$folder/log" 2>&1; then
    echo "$hash" >"build/tidy/$unit.passed"
  else
    grep -v 'warnings\? \(generated\|treated\)' "$folder/log" >&2 || true
    echo "tidy: $unit failed" >&2
    return 1
  fi
}
export -f check headers_hash reachable direct folder_of
export root declared

units >build/tidy/list
echo "tidy: $(cut -d' ' -f1 build/tidy/list | sort -u | wc -l) modules, $(wc -l <build/tidy/list) sources"
# The largest first: they end last.
awk '{ count[$1]++ } END { for (unit in count) print count[unit], unit }' build/tidy/list | sort -rn | cut -d' ' -f2 |
  xargs -P "${JOBS:-$(nproc)}" -n 1 bash -c 'check "$1"' tidy
