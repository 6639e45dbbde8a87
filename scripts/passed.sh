# What passed is not run again until it changes: build/passed/NAME keeps the hash with which it passed. Sourced by the
# scripts that run tests; ALL=1 makes them run everything.

hash_of_files() { tr '\n' '\0' | xargs -0 sha256sum | sha256sum; }
sources_hash() { scripts/sources.sh | hash_of_files; }
# All that is no C++, which is in the programs already: documents, examples, corpora, scripts.
texts_hash() { scripts/sources.sh | grep -vE '\.(cpp|h)$' | hash_of_files; }

# The measured tables outside of the tree: names, sizes and dates are enough.
tables_hash() {
  { find "${SEXTANT_DATA:-../shared/data}" -type f -printf '%p %s %T@\n' 2>/dev/null || true; } | sort | sha256sum
}

# has_passed NAME HASH, remember_passed NAME HASH
has_passed() { [[ ${ALL:-0} != 1 && $(cat "build/passed/$1" 2>/dev/null) == "$2" ]]; }
remember_passed() { mkdir -p build/passed && echo "$2" >"build/passed/$1"; }
