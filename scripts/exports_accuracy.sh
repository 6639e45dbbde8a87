#!/usr/bin/env bash
# How far are predictions of this machine off for networks that somebody exported? Calibrates the machine, predicts and
# trains every ONNX file of a folder, and prints both in one table. Wants a machine that does nothing else, for about
# seven minutes: four of calibration, and some seconds for each network.
#   scripts/exports_accuracy.sh [FOLDER [BATCH [BUDGET]]]
# Without FOLDER, scripts/export_networks.py makes the files first (needs python3-torch and python3-torchvision). A
# device named `local` that SEXTANT_HOME already has is used as it is.
set -euo pipefail
cd "$(dirname "$0")/.."
batch=${2:-2}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
folder=${1:-}
if [[ -z $folder ]]; then
  folder=$scratch/networks
  /usr/bin/python3 scripts/export_networks.py "$folder" >&2
fi
if [[ -z ${SEXTANT_HOME:-} ]]; then
  export SEXTANT_HOME=$scratch/home
  mkdir -p "$SEXTANT_HOME"
  build/sextant calibrate --threads 1 --budget "${3:-4min}" >&2
fi

# A cell of the only row of a CSV, by its key.
cell() { awk -F, -v key="$1" 'NR == 1 { for (i = 1; i <= NF; ++i) if ($i == key) at = i } NR == 2 { print $at }'; }
ms() { awk -v s="$1" 'BEGIN { if (s == "") print "-"; else printf "%.1f", 1000 * s }'; }

line='%-20s %6s %13s %10s %10s %12s %8s  %s\n'
printf "$line" network batch 'predicted ms' from to 'measured ms' error inside
: >"$scratch/errors"
for file in "$folder"/*.onnx; do
  name=$(basename "$file" .onnx)
  build/sextant predict "$file" --gpu local --batch "$batch" --optimizer momentum --format csv >"$scratch/predicted" 2>"$scratch/warnings"
  build/sextant measure "$file" --batch "$batch" --iterations 3 --budget 12s --threads 1 --format csv \
    >"$scratch/measured" 2>/dev/null || true
  step=$(cell iteration_s <"$scratch/predicted")
  low=$(cell low_s <"$scratch/predicted")
  high=$(cell high_s <"$scratch/predicted")
  real=$(cell iteration_s <"$scratch/measured")
  verdict=$(awk -v p="$step" -v m="$real" -v l="$low" -v h="$high" 'BEGIN {
    if (m == "") { print "- -"; exit }
    printf "%+.0f%% %s", 100 * (p / m - 1), (m >= l && (h == "" || m <= h)) ? "yes" : "no" }')
  printf "$line" "$name" "$batch" "$(ms "$step")" "$(ms "$low")" "$(ms "$high")" "$(ms "$real")" ${verdict}
  echo "$verdict" >>"$scratch/errors"
  sed -n 's/^sextant: warning: /    /p' "$scratch/warnings" | grep 'timed no' || true
done
awk '$1 != "-" { e = $1 + 0; sum += e < 0 ? -e : e; n += 1; inside += $2 == "yes" }
  END { if (n) printf "mean error %.0f%%, %d of %d inside their interval\n", sum / n, inside, n }' "$scratch/errors"
