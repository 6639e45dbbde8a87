# Aggregation rules on 100 updates of a million numbers: NumPy on all its threads, and this program on two, in turn. Prints
# seconds, seconds of the processor and the ratio of each.
# Usage: /usr/bin/python3 scripts/robust_compare.py build/bench/sextant_bench
import json
import subprocess
import sys
import time

import numpy

CLIENTS, NUMBERS, ATTACKERS, ROUNDS = 100, 1_000_000, 20, 3


def krum_scores(distances, among, neighbours):
    near = numpy.sort(distances[numpy.ix_(among, among)], axis=1)
    return near[:, 1 : neighbours + 1].sum(axis=1)


def squared_distances(updates):
    squares = numpy.einsum("ij,ij->i", updates, updates)
    return numpy.maximum(squares[:, None] + squares[None, :] - 2 * updates @ updates.T, 0)


def multi_krum(updates, keep):
    n = len(updates)
    scores = krum_scores(squared_distances(updates), numpy.arange(n), n - ATTACKERS - 2)
    return updates[numpy.argsort(scores)[:keep]].mean(axis=0)


def bulyan(updates):
    distances, rest, selected = squared_distances(updates), list(range(len(updates))), []
    while len(selected) < len(updates) - 2 * ATTACKERS:
        scores = krum_scores(distances, rest, max(len(rest) - ATTACKERS - 2, 1))
        selected.append(rest.pop(int(numpy.argmin(scores))))
    chosen = updates[selected]
    order = numpy.argsort(numpy.abs(chosen - numpy.median(chosen, axis=0)), axis=0)[: len(selected) - 2 * ATTACKERS]
    return numpy.take_along_axis(chosen, order, axis=0).mean(axis=0)


def clipped_mean(updates, point, longest=None):
    apart = updates - point
    lengths = numpy.linalg.norm(apart, axis=1)
    longest = numpy.median(lengths) if longest is None else longest
    return point + (apart * numpy.minimum(1, longest / numpy.maximum(lengths, 1e-30))[:, None].astype(numpy.float32)).mean(axis=0)


def centered_clipping(updates):
    point = numpy.zeros(updates.shape[1], numpy.float32)
    for _ in range(3):
        point = clipped_mean(updates, point)
    return point


def geometric_median(updates):
    point = numpy.median(updates, axis=0)
    distances = numpy.linalg.norm(updates - point, axis=1)
    still = 1e-6 * numpy.median(distances)
    for _ in range(50):
        weights = 1 / numpy.maximum(distances, 1e-30)
        before, point = point, ((weights / weights.sum()).astype(numpy.float32) @ updates)
        distances = numpy.linalg.norm(updates - point, axis=1)
        if numpy.linalg.norm(point - before) < still:
            break
    return point


HISTORY = {}


def fools_gold(updates):
    sums = HISTORY.setdefault("sums", numpy.zeros_like(updates))
    sums += updates
    unit = sums / numpy.linalg.norm(sums, axis=1)[:, None]
    cosines = (unit @ unit.T).astype(numpy.float64)
    numpy.fill_diagonal(cosines, -numpy.inf)
    closest = cosines.max(axis=1)
    pardon = (closest[None, :] > closest[:, None]) & (closest[None, :] > 0)
    cosines = numpy.where(pardon, cosines * closest[:, None] / closest[None, :], cosines)
    alpha = numpy.clip(1 - cosines.max(axis=1), 0, 1)
    alpha = numpy.minimum(alpha / alpha.max(), 0.99)
    weights = numpy.clip(numpy.log(numpy.maximum(alpha, 1e-30) / (1 - alpha)) + 0.5, 0, 1)
    return (weights / weights.sum()).astype(numpy.float32) @ updates


RULES = {
    "mean": lambda updates: updates.mean(axis=0),
    "median": lambda updates: numpy.median(updates, axis=0),
    "trimmed-mean": lambda updates: numpy.partition(
        updates, (ATTACKERS, CLIENTS - ATTACKERS - 1), axis=0)[ATTACKERS : CLIENTS - ATTACKERS].mean(axis=0),
    "krum": lambda updates: multi_krum(updates, 1),
    "multi-krum": lambda updates: multi_krum(updates, CLIENTS - ATTACKERS - 2),
    "bulyan": bulyan,
    "centered-clipping": centered_clipping,
    "geometric-median": geometric_median,
    "fools-gold": fools_gold,
}


def ours(bench, rule):
    text = subprocess.run([bench, f"--benchmark_filter=^robust/{rule}/", "--benchmark_format=json"],
                          check=True, capture_output=True, text=True).stdout
    row = json.loads(text)["benchmarks"][0]
    return row["seconds"], row["cpu_seconds"]


def theirs(rule, updates):
    wall, cpu = time.perf_counter(), time.process_time()
    RULES[rule](updates)
    return time.perf_counter() - wall, time.process_time() - cpu


updates = numpy.random.default_rng(1).random((CLIENTS, NUMBERS), dtype=numpy.float32) - numpy.float32(0.5)
print(f"{'rule':<18} {'NumPy s':>9} {'cpu s':>8} {'sextant s':>10} {'cpu s':>8} {'ratio':>7} {'of cpu':>7}")
for rule in RULES:
    rows = [theirs(rule, updates) + ours(sys.argv[1], rule) for _ in range(ROUNDS)]
    wall, cpu, our_wall, our_cpu = numpy.median(rows, axis=0)
    print(f"{rule:<18} {wall:9.3f} {cpu:8.3f} {our_wall:10.3f} {our_cpu:8.3f} {our_wall / wall:7.3f} {our_cpu / cpu:7.3f}",
          flush=True)
