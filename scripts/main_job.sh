#!/usr/bin/env bash
# The main job on the embedded defaults: what training ResNet-50 costs, and where it can run.
set -euo pipefail
cd "$(dirname "$0")/.."

echo "ResNet-50, batch 32: what one iteration asks of a machine"
build/sextant net summary resnet50 --batch 32 --totals
echo
echo "90 epochs of 1,281,167 images: which machines hold it, how long, at what price"
build/sextant predict resnet50 --batch 32 --stack tensorflow --machine all --epochs 90 --samples 1281167 --top 20
