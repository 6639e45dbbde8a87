# Made-up training jobs, some of whose runs fail: 30 searches over machine, workers and batch size, minimising time or cost
# of an epoch; what does not fit the memory of a GPU fails, and in a third of them one run in twenty crashes anyhow. The
# best configuration is often next to those that fail. Writes a table for `sextant explore --table`, always the same.
# Usage: python3 scripts/failing_runs.py > runs.csv
import csv
import math
import random
import sys

# GiB, samples/s relative to the slowest, USD/h
MACHINES = {"k80": (12, 1, 0.9), "t4": (16, 3, 0.526), "a10g": (24, 6, 1.0), "v100": (16, 10, 3.06), "a100": (40, 20, 4.1)}
WORKERS = (1, 2, 3, 4, 6, 8)
BATCHES = (8, 16, 32, 64, 128, 256)
SAMPLES = 50000

rng = random.Random(1)
table = csv.writer(sys.stdout, lineterminator="\n")
table.writerow(["job", "machine", "workers", "batch", "memory_gib", "rate", "usd_per_h", "completed", "objective"])
for job in range(30):
    fixed, per_sample, sync = rng.uniform(0.06, 0.6), rng.uniform(0.002, 0.012), rng.uniform(0, 0.05)
    weights, per_image = rng.uniform(1, 6), 10 ** rng.uniform(-1.9, -0.7)
    in_time, crashes = rng.random() < 0.5, rng.random() < 1 / 3
    for machine, (memory, rate, price) in MACHINES.items():
        for workers in WORKERS:
            for batch in BATCHES:
                step = fixed / math.sqrt(rate) + per_sample * batch / rate + sync * math.log2(workers)
                seconds = SAMPLES / (batch * workers) * step * math.exp(rng.gauss(0, 0.03))
                fits = weights + per_image * batch <= memory and not (crashes and rng.random() < 0.05)
                value = seconds if in_time else seconds * workers * price / 3600
                table.writerow([job, machine, workers, batch, memory, rate, price, int(fits), f"{value:.6g}" if fits else ""])
