#!/usr/bin/env bash
# No two headers define types of one name: all modules share a namespace and one program, and the linker merges
# what two types of one name generate, without a word. Usage: names.sh ROOT
set -euo pipefail
cd "$1"
scripts/sources.sh '\.h$' | { grep -vE '/(tests|fuzz)/|^(tests|bench)/' || true; } | xargs awk '
  match($0, /^(struct|class|enum class|enum|union) [A-Z][A-Za-z0-9]*/) && !/;[ ]*(\/\/.*)?$/ {
    split(substr($0, RSTART, RLENGTH), words, " ")
    name = words[length(words)]
    types++
    if (name in seen && seen[name] != FILENAME) {
      print FILENAME ":" FNR ": " name " is defined in " seen[name] " too"
      faults++
    }
    seen[name] = FILENAME
  }
  END { print types " types checked, " faults + 0 " faults"; exit faults > 0 }'
