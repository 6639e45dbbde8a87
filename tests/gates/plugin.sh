#!/usr/bin/env bash
# A network is one file: dropped into a copy of the tree, it is built and its contract checked with nothing else touched.
# Only the zoo and the tests of its contract are built. Usage: plugin.sh ROOT SCRATCH
set -euo pipefail
root=$1 scratch=$2
rm -rf "$scratch"
mkdir -p "$scratch"
(cd "$root" && scripts/sources.sh | tar --create --files-from - ) | tar --extract --directory "$scratch"
find "$scratch/facts/nets/tests" -maxdepth 1 -name '*_test.cpp' ! -name 'zoo_test.cpp' -delete
cp "$root/tests/gates/plugin/my_tiny.cpp" "$scratch/facts/nets/zoo/"

cmake -S "$scratch" -B "$scratch/build" -G Ninja --log-level=NOTICE -DSEXTANT_TESTS=ON -DCMAKE_BUILD_TYPE=Debug
cmake --build "$scratch/build" --parallel "$(nproc)" --target nets_tests

listed=$("$scratch/build/nets_tests" --gtest_list_tests)
if ! grep -qE 'my[_-]tiny' <<<"$listed"; then
  echo "no contract test names my-tiny:"
  echo "$listed"
  exit 1
fi
"$scratch/build/nets_tests" --gtest_brief=1 --gtest_filter='*my_tiny*:*my-tiny*'
rm -rf "$scratch"
