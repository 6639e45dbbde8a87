#!/usr/bin/env bash
# Line coverage of the unit tests over the libraries' sources.
set -euo pipefail
cd "$(dirname "$0")/.."
jobs=${JOBS:-$(nproc)}
out=build/coverage

cmake -S . -B $out -G Ninja --log-level=NOTICE -DSEXTANT_TESTS=ON -DSEXTANT_COVERAGE=ON -DCMAKE_BUILD_TYPE=Debug
cmake --build $out --parallel "$jobs" --target unit_tests
find $out -name '*.gcda' -delete
ctest --test-dir $out --output-on-failure --no-tests=error --parallel "$jobs" --label-regex '^unit' --quiet
lcov --quiet --capture --directory $out --base-directory . --no-external --output-file $out/all.info
lcov --quiet --remove $out/all.info '*/tests/*' '*/fuzz/*' '*/build/*' --output-file $out/sources.info
genhtml --quiet --output-directory $out/html $out/sources.info
lcov --summary $out/sources.info 2>&1 | grep -E 'lines|functions'
echo "see $out/html/index.html"
