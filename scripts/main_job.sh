#!/usr/bin/env bash
# The main job on the embedded defaults: where to train ResNet-50 on ImageNet within a day, and at what cost.
set -euo pipefail
cd "$(dirname "$0")/.."

echo "90 epochs of 1,281,167 images on ResNet-50, to be done within 24 hours:"
echo "machine types x numbers of machines x parallel strategies, the cheapest first, and the Pareto front"
build/sextant advise resnet50 --epochs 90 --samples 1281167 --deadline '24 h' --batch 64 --max-global-batch 8192 --stack tensorflow --top 8 \
  --plot build/advice.svg
echo
echo "time against cost of all offers: build/advice.svg"
