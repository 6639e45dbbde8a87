#!/usr/bin/env bash
# Data-parallel ResNet-18 on two workers: sextant-worker (all-reduce over Gloo) against PyTorch's
# DistributedDataParallel, in blocks that take turns; medians of blocks and of their ratios.
# Usage: ddp_compare.sh [WORKER_PROGRAM]   BLOCKS, BATCH, ITERATIONS, OVERLAP (true, false) from the environment
set -euo pipefail
cd "$(dirname "$0")/.."
worker=$(realpath "${1:-build/sextant-worker}")
blocks=${BLOCKS:-7} batch=${BATCH:-16} iterations=${ITERATIONS:-10} overlap=${OVERLAP:-true} warmup=3
python=/usr/bin/python3
"$python" -c 'import torch.distributed' 2>/dev/null || { echo "python3-torch is not installed" >&2; exit 1; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

ours() {
  rm -rf "$scratch/run" && mkdir -p "$scratch/run/rendezvous"
  cat > "$scratch/run/trial.json" <<JSON
{"schema": "sextant.trial/1", "net": "resnet18", "optimizer": "sgd", "learning_rate": 0.01, "momentum": 0.9,
 "sizes": {"batch": $batch, "image": 32, "seq": null, "classes": null},
 "strategy": "all-reduce", "workers": 2, "servers": 0, "transport": "gloo-tcp", "bucket_mb": 25,
 "overlap": $overlap, "threads": 1, "data": "synthetic", "prefetch": 2, "iterations": $iterations,
 "warmup": $warmup, "epochs": null, "seed": 0, "spans": false, "operators": false, "timeout_s": 60,
 "on_failure": "stop", "checkpoint_every": 0, "traceparent": ""}
JSON
  local rank
  for rank in 0 1; do SEXTANT_RANK=$rank "$worker" "$scratch/run" & done
  wait
  "$python" - "$scratch/run/report.0.json" $warmup <<'PY'
import json, statistics, sys
report = json.load(open(sys.argv[1]))
assert not report["error"], report["error"]
print(statistics.median(report["iterations"]["total_s"][int(sys.argv[2]):]))
PY
}

theirs() {
  rm -f "$scratch/store"
  "$python" scripts/ddp_bench.py 1 2 "$scratch/store" "$batch" "$iterations" "$warmup" &
  "$python" scripts/ddp_bench.py 0 2 "$scratch/store" "$batch" "$iterations" "$warmup"
  wait
}

for ((i = 0; i < blocks; ++i)); do
  # Who goes first changes; each on a line of its own, so that a failure ends the script.
  if ((i % 2)); then
    t=$(theirs)
    o=$(ours)
  else
    o=$(ours)
    t=$(theirs)
  fi
  echo "$o $t"
done | "$python" -c '
import statistics, sys
rows = [tuple(map(float, line.split())) for line in sys.stdin]
ratios = sorted(o / t for o, t in rows)
print("all-reduce of sextant against DistributedDataParallel, ResNet-18 on 32 px, 2 workers:")
print("  ratio %.3f (from %.3f to %.3f, %d blocks); %.1f against %.1f ms" % (
    statistics.median(ratios), ratios[0], ratios[-1], len(rows),
    1e3 * statistics.median(o for o, _ in rows), 1e3 * statistics.median(t for _, t in rows)))'
