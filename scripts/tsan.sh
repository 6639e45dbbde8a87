#!/usr/bin/env bash
# What runs on several threads, under the thread sanitizer: runs side by side (sweeps of simulations and of plans, fits,
# searches of recorded tables), batches that are read ahead, training strategies and federations with a thread for each
# process, aggregation rules, the workers and claims of studies, the HTTP server, the daemon.
set -euo pipefail
cd "$(dirname "$0")/.."

# Module and tests, each of which must be there.
threaded=(
  'core RunList.*'
  'learn Fit.IsTheSameForAnyNumberOfThreads'
  'simulate Sweep.*'
  'capacity OnlineSweep.*'
  'input Batches.*:CachedSamples.*'
  'robust *ThreadsChangeNothing*'
  'measure TrainingStrategies.*:AttackedTraining.*:ParameterServer.*:StaleSynchronous.*:Asynchronous.*'
  'measure TransferQueue.*:SpanRecorder.*:FlatOptimizer.*'
  'federated Rounds.*'
  'study RunStudy.*:TableSearch.*'
  'http *'
  'daemon PlanDaemon.*:ApplyCommand.*:DaemonOpenApi.*'
)

cmake -S . -B build/tsan -G Ninja --log-level=NOTICE -DSEXTANT_TESTS=ON -DCMAKE_BUILD_TYPE=Debug \
  -DCMAKE_CXX_COMPILER=clang++-14 -DSEXTANT_SANITIZE=thread -DCMAKE_CXX_FLAGS_DEBUG="-O1"
mapfile -t programs < <(printf '%s\n' "${threaded[@]}" | sed 's/ .*/_tests/' | sort -u)
cmake --build build/tsan --parallel "${JOBS:-$(nproc)}" --target "${programs[@]}"
for entry in "${threaded[@]}"; do
  program=build/tsan/${entry%% *}_tests
  IFS=: read -ra filters <<<"${entry#* }"
  for filter in "${filters[@]}"; do
    if [[ -z $("$program" --gtest_list_tests --gtest_filter="$filter") ]]; then
      echo "tsan: $program has no test '$filter'" >&2
      exit 1
    fi
  done
  "$program" --gtest_brief=1 --gtest_filter="${entry#* }"
done
