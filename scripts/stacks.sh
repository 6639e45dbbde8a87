#!/usr/bin/env bash
# Fits the stacks that ship with the program from the measured tables, and writes the accuracy page.
set -euo pipefail
cd "$(dirname "$0")/.."
data=${SEXTANT_DATA:-../shared/data}
if [ ! -d "$data" ]; then
  echo "no measured tables at '$data': set SEXTANT_DATA" >&2
  exit 2
fi
for stack in tensorflow-2.5 pytorch-1.x; do
  build/sextant fit --method kernel --recipe "$stack" --data "$data" --out "models/predict/stacks/$stack.json"
done
build/sextant fit --method kernel --recipe pytorch-1.x-inference --start models/predict/stacks/pytorch-1.x.json \
  --data "$data" --out models/predict/stacks/pytorch-1.x-inference.json
# Transformers say nothing of convolutions: those start from what the older stack has learnt.
build/sextant fit --method kernel --recipe pytorch-2.1 --start models/predict/stacks/pytorch-1.x.json \
  --data "$data" --out models/predict/stacks/pytorch-2.1.json
# Mixed precision of today starts from the same convolutions.
build/sextant fit --method kernel --recipe pytorch-2.x --start models/predict/stacks/pytorch-1.x.json \
  --data "$data" --out models/predict/stacks/pytorch-2.x.json
build/sextant fit --method collective --data "$data/collectives/all_reduce.csv,$data/collectives/send_recv.csv" \
  --out models/collectives/calibration/nccl.json
sia=$data/scaling/sia
build/sextant fit --method scaling --data "${sia}_bert.csv,${sia}_cifar10.csv,${sia}_deepspeech2.csv,${sia}_imagenet.csv,${sia}_ncf.csv" \
  --out models/scaling/models/sia.json
build/sextant fit --method llm-steps --data "$data" --out models/llm/models/steps.json
build/sextant fit --method llm-kernels --data "$data" --out models/llm/models/kernels.json
# It counts with the kernels that the program was built with: build again after the line above has changed them.
build/sextant fit --method llm-generation --data "$data" --out models/llm/models/generation.json
build/sextant accuracy --data "$data" --out docs/accuracy.md
