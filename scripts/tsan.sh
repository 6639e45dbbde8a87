#!/usr/bin/env bash
# What runs on several threads, under the thread sanitizer: sweeps of simulations, batches that are read ahead, training
# strategies with a thread for each rank, aggregation rules, the workers and claims of studies, searches of recorded tables, the HTTP server, the daemon.
set -euo pipefail
cd "$(dirname "$0")/.."
cmake -S . -B build/tsan -G Ninja --log-level=NOTICE -DSEXTANT_TESTS=ON -DCMAKE_BUILD_TYPE=Debug \
  -DCMAKE_CXX_COMPILER=clang++-14 -DSEXTANT_SANITIZE=thread -DCMAKE_CXX_FLAGS_DEBUG="-O1"
cmake --build build/tsan --parallel "${JOBS:-$(nproc)}" --target simulate_tests input_tests robust_tests measure_tests \
  study_tests http_tests daemon_tests
build/tsan/simulate_tests --gtest_brief=1 --gtest_filter='Sweep.*'
build/tsan/input_tests --gtest_brief=1 --gtest_filter='Batches.*:CachedSamples.*'
build/tsan/robust_tests --gtest_brief=1 --gtest_filter='*ThreadsChangeNothing*'
build/tsan/measure_tests --gtest_brief=1 --gtest_filter='TrainingStrategies.*:AttackedTraining.*:ParameterServer.*:StaleSynchronous.*:Asynchronous.*:TransferQueue.*:SpanRecorder.*:FlatOptimizer.*'
build/tsan/study_tests --gtest_brief=1 --gtest_filter='RunStudy.*:TableSearch.*'
build/tsan/http_tests --gtest_brief=1
build/tsan/daemon_tests --gtest_brief=1 --gtest_filter='PlanDaemon.*:ApplyCommand.*:DaemonOpenApi.*'
